# nix run github:pathfinder-dev/pathfinder -- check
{
  description = "The path resolver that agents, editors and CI ask when a path is wrong";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      workspace = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package;
      manifest = (builtins.fromTOML (builtins.readFile ./server/Cargo.toml)).package;
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = manifest.name;
          inherit (workspace) version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" manifest.name ];
          # They need a git checkout and programs of others.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/${manifest.name} man > ${manifest.name}.1
            installManPage ${manifest.name}.1
            for shell in bash zsh fish; do
              $out/bin/${manifest.name} completions $shell > completions.$shell
            done
            installShellCompletion --cmd ${manifest.name} --bash completions.bash --zsh completions.zsh --fish completions.fish
          '';
          meta = {
            inherit (manifest) description;
            homepage = workspace.repository;
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = manifest.name;
          };
        };
      });
    };
}
