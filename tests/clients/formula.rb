# Reads a Homebrew formula for one system and processor, and prints what it says and installs: formula.rb FORMULA SYSTEM PROCESSOR

# As much of Homebrew as the formula uses.
class Formula
  class << self
    %i[desc homepage version url sha256].each { |name| define_method(name) { |value| puts "#{name} #{value}" } }

    def license(value)
      puts "license #{value.fetch(:any_of).join(" ")}"
    end

    %w[macos linux].each { |name| define_method("on_#{name}") { |&block| block.call if ARGV[1] == name } }
    %w[arm intel].each { |name| define_method("on_#{name}") { |&block| block.call if ARGV[2] == name } }

    def test
      puts "test"
    end
  end

  # A folder of the installation.
  Folder = Struct.new(:name) do
    def install(path)
      puts "install #{name} #{path}"
    end
  end
  %i[bin man1 bash_completion zsh_completion fish_completion].each { |name| define_method(name) { Folder.new(name) } }
end

load ARGV[0]
Object.const_get(File.read(ARGV[0])[/^class (\w+) < Formula/, 1]).new.install
