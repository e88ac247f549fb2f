//! Tests of the Ruby checker: resolved, missing and undecidable paths.

use crate::testing::{assert_ranges_valid, check, severities};

const TREE: &str = "
    app.gemspec = s.add_dependency 'rack', '~> 2'\\ns.add_dependency 'app-parts'
    lib/app.rb
    lib/app/site.rb
    lib/app/runner.rb
    lib/app/tasks
    ext/app_c/extconf.rb
    spec/helper.rb
";

#[test]
fn resolves_from_the_file() {
    check(
        TREE,
        "lib/app/x.rb",
        "require_relative 'site'\nrequire_relative '../gone'\nrequire File.join(__dir__, 'runner')\nrequire \"#{__dir__}/no\"\n\
         require File.expand_path('../site', __FILE__)\nload File.dirname(__FILE__) + '/none.rb'\nload File.join(__dir__, 'tasks')\nload File.join(__dir__, 'site')\nrequire_relative \"#{x}/y\"\n\
         require File.expand_path(File.dirname(__FILE__) + '/site')\nrequire_relative '../../../../far'\n",
        "ruby.require_relative site → lib/app/site.rb
         ruby.require_relative ../gone → missing
         ruby.require runner → lib/app/runner.rb
         ruby.require /no → missing
         ruby.require ../site → lib/app/site.rb
         ruby.load /none.rb → missing
         ruby.load tasks → lib/app/tasks
         ruby.load site → missing
         ruby.require /site → lib/app/site.rb
         ruby.require_relative ../../../../far → unknown outside",
    );
}

/// Any of three gems can have the file.
#[test]
fn decides_no_files_of_a_shared_directory() {
    let gems = "gem 'app-cli'\\ngem 'app-view'\\ngem 'app-db'";
    let tree = format!("app.gemspec\nGemfile = {gems}\nlib/app/middleware/x.rb\nlib/app/settings.rb");
    let text = "require 'app/middleware'\nrequire 'app/setings'\nrequire 'app/settings'\n";
    let expect = "ruby.require app/middleware → unknown elsewhere\nruby.require app/setings → missing\n\
                  ruby.require app/settings → lib/app/settings.rb";
    check(&tree, "lib/app/x.rb", text, expect);
}

#[test]
fn resolves_by_name() {
    check(
        TREE,
        "lib/app.rb",
        "require 'app/site'\nrequire 'app/gone'\nrequire 'rack/utils'\nrequire 'json'\nrequire 'rspec/core'\nrequire 'app/app_c'\nrequire 'app/parts'\nrequire 'app/parts/wheel'\nrequire 'app/part'\n\
         autoload :A, 'app/runner'\nautoload :B, 'app/reader'\nautoload :C\nrequire x\nrequire 'helper'\n",
        "ruby.require app/site → lib/app/site.rb
         ruby.require app/gone → missing
         ruby.require rack/utils → unknown elsewhere
         ruby.require json → unknown elsewhere
         ruby.require rspec/core → unknown elsewhere
         ruby.require app/app_c → unknown produced
         ruby.require app/parts → unknown elsewhere
         ruby.require app/parts/wheel → unknown elsewhere
         ruby.require app/part → missing
         ruby.autoload app/runner → lib/app/runner.rb
         ruby.autoload app/reader → missing
         ruby.require helper → spec/helper.rb",
    );
}

/// Most files begin with all that they require, and name `load` and `require` in comments and methods too.
#[test]
fn reads_the_head_of_a_file() {
    let rest = "\n# require 'app/none'\ndef load(a) = b.load('app/none') { [:load, a.require] }\n".repeat(9);
    check(
        TREE,
        "lib/app.rb",
        &format!(
            "# load 'x.rb'\nrequire\"app/site\"\nrequire 'app/gone' \\\n  if defined?(X)\nrequire('app/gone')\n{rest}"
        ),
        "ruby.require app/site → lib/app/site.rb
         ruby.require app/gone → unknown optional
         ruby.require app/gone → missing",
    );
    check(TREE, "lib/app.rb", &format!("require 'app/gone'\n{rest}"), "ruby.require app/gone → missing");
    check(TREE, "lib/app.rb", &rest, "");
}

/// The library was renamed: files under the new name are the targets.
#[test]
fn follows_renamed_libraries() {
    check(
        TREE,
        "lib/app.rb",
        "require 'old/runner'\nrequire 'old/other'\nrequire 'old/site'\nrequire 'app/site'\n",
        "ruby.require old/runner → missing
         ruby.require old/other → unknown elsewhere
         ruby.require old/site → unknown elsewhere
         ruby.require app/site → lib/app/site.rb",
    );
    assert_eq!(severities(TREE, "lib/app.rb", "require 'old/runner'\n"), ["warning"]);
}

#[test]
fn accepts_optional_requires() {
    check(
        TREE,
        "lib/app.rb",
        "begin\n  require 'app/fast'\nrescue LoadError\n  nil\nend\nrequire 'app/win' if RUBY_PLATFORM =~ /win/\n\
         def a\n  require_relative 'b'\nrescue LoadError\n  nil\nend\n# require 'app/x'\n",
        "ruby.require app/fast → unknown optional
         ruby.require app/win → unknown optional
         ruby.require_relative b → unknown optional",
    );
}

#[test]
fn accepts_broken_text() {
    assert_ranges_valid("a.rb", "require 'é\nrequire File.join(__dir__,");
    assert_ranges_valid("a.rb", "autoload :A, \"#{");
}

/// A removed library, whose files history finds under another name.
#[test]
fn follows_moved_files() {
    let tree = "lib/new.rb\nlib/new/version.rb\nspec/tunes/stub.rb\nspec/mocking/web.rb\nmoved lib/old/version.rb lib/new/version.rb\n\
                moved spec/itunes/stub.rb spec/tunes/stub.rb\nmoved spec/web.rb spec/mocking/web.rb\nmoved lib/json/stub.rb lib/new.rb";
    check(
        tree,
        "new.gemspec",
        "require 'old/version'\nrequire 'old/other'\n",
        "ruby.require old/version → moved
         ruby.require old/other → unknown elsewhere",
    );
    let locked = format!(
        "{tree}\nGemfile.lock = PATH\\n  remote: .\\n  specs:\\n    old (1)\\n      json\\n\\nGEM\\n  remote: https://x.org\\n  specs:\\n    oldest (1)\\n\\nDEPENDENCIES\\n  old!\\n"
    );
    check(
        &locked,
        "new.gemspec",
        "require 'old/version'\nrequire 'oldest/version'\n",
        "ruby.require old/version → moved
         ruby.require oldest/version → unknown elsewhere",
    );
    // A directory of tests is searched before libraries.
    check(
        "spec/support/new.rb\nmoved spec/support/old.rb spec/support/new.rb\nmoved spec/json/old.rb spec/support/new.rb",
        "spec/a_spec.rb",
        "require 'support/old'\nrequire 'support/other'\nrequire 'json/old'\n",
        "ruby.require support/old → moved
         ruby.require support/other → unknown elsewhere
         ruby.require json/old → moved",
    );
    // A project that lists itself in its Gemfile (puppet).
    check(
        "lib/own.rb\nlib/own/agent/lock.rb\nGemfile = gem 'own', path: '.'\nmoved lib/own/util/lock.rb lib/own/agent/lock.rb",
        "spec/a_spec.rb",
        "require 'own/util/lock'\nrequire 'own/util/other'\n",
        "ruby.require own/util/lock → moved
         ruby.require own/util/other → unknown elsewhere",
    );
    check(
        tree,
        "spec/spec_helper.rb",
        "require 'itunes/stub'\nrequire 'itunes/other'\nrequire 'web'\nrequire 'json/stub'\n",
        "ruby.require itunes/stub → moved
         ruby.require itunes/other → unknown elsewhere
         ruby.require web → moved
         ruby.require json/stub → moved",
    );
}

/// A library of Ruby's own that the project has under another directory too, as an implementation of Ruby does.
#[test]
fn leaves_libraries_of_ruby() {
    check(
        "stdlib/optparse.rb\nstdlib/native.rb\nvendored/a.rb",
        "vendored/x.rb",
        "require 'optparse'\nrequire 'native'\n",
        "ruby.require optparse → unknown undecided\nruby.require native → unknown elsewhere",
    );
}

#[test]
fn reads_paths_from_the_directory_of_the_program() {
    check(
        "lib/app/data.yml\nassets/logo.png\nmoved app/assets assets\nmoved lib/app/old.yml lib/app/data.yml",
        "lib/app/x.rb",
        "A = File.join(__dir__, 'data.yml')\nB = File.expand_path('../../assets', File.dirname(__FILE__))\n\
         C = File.read(File.join(File.dirname(__FILE__), '..', 'app', 'old.yml'))\nD = File.join(__dir__, 'out.log')\n\
         E = File.join(__dir__, name, 'old.yml')\n",
        "ruby.path data.yml → lib/app/data.yml
         ruby.path ../../assets → assets
         ruby.path old.yml → moved
         ruby.path out.log → unknown optional",
    );
    let variables = "dir = Pathname(__FILE__).dirname.expand_path\nbase = File.dirname(__FILE__)\nrequire dir + 'app/old'\nrequire dir + 'app/new'\n\
                     require base + '/app/new'\nrequire base + 'app/new'\n";
    check(
        "lib/app/new.rb\nmoved lib/app/old.rb lib/app/new.rb",
        "lib/x.rb",
        variables,
        "ruby.require app/old → moved
         ruby.require app/new → lib/app/new.rb
         ruby.require /app/new → lib/app/new.rb",
    );
    let typo = "A = File.expand_path('../../Gemile', __dir__)\n";
    check("Gemfile", "lib/app/x.rb", typo, "ruby.path ../../Gemile → missing");
}
