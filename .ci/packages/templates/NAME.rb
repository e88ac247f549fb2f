# Homebrew formula: brew install --formula ./{{name}}.rb, or in a tap.
class {{class}} < Formula
  desc "{{summary.homebrew}}"
  homepage "{{repository}}"
  version "{{version}}"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "{{downloads}}/{{archive.aarch64-apple-darwin}}"
      sha256 "{{sha256.aarch64-apple-darwin}}"
    end
    on_intel do
      url "{{downloads}}/{{archive.x86_64-apple-darwin}}"
      sha256 "{{sha256.x86_64-apple-darwin}}"
    end
  end

  on_linux do
    on_arm do
      url "{{downloads}}/{{archive.aarch64-unknown-linux-gnu}}"
      sha256 "{{sha256.aarch64-unknown-linux-gnu}}"
    end
    on_intel do
      url "{{downloads}}/{{archive.x86_64-unknown-linux-gnu}}"
      sha256 "{{sha256.x86_64-unknown-linux-gnu}}"
    end
  end

  def install
    bin.install "{{name}}"
    man1.install "man/{{name}}.1"
    bash_completion.install "completions/{{name}}"
    zsh_completion.install "completions/_{{name}}"
    fish_completion.install "completions/{{name}}.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/{{name}} --version")
    (testpath/"src").mkpath
    (testpath/"src/engine.rs").write ""
    assert_match "src/engine.rs", shell_output("#{bin}/{{name}} resolve --root #{testpath} src/engin.rs")
  end
end
