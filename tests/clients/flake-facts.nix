# What flake.nix makes of a nixpkgs that returns the arguments of its packages: nix-instantiate --eval --strict --json --arg root PATH
{ root }:
let
  systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
  genAttrs = names: make: builtins.listToAttrs (map (name: { inherit name; value = make name; }) names);
  pkgs = system: {
    installShellFiles = "installShellFiles";
    rustPlatform.buildRustPackage = arguments: arguments;
    lib.licenses = { mit = "MIT"; asl20 = "Apache-2.0"; };
  };
  nixpkgs = { lib = { inherit genAttrs; }; legacyPackages = genAttrs systems pkgs; };
  flake = import (root + "/flake.nix");
  inherit (flake.outputs { self = root; inherit nixpkgs; }) packages;
  facts = { pname, version, src, cargoLock, cargoBuildFlags, nativeBuildInputs, postInstall, meta, ... }: {
    inherit pname version cargoBuildFlags nativeBuildInputs postInstall meta;
    hasSource = src == root && builtins.pathExists cargoLock.lockFile;
  };
in
builtins.mapAttrs (_: one: facts one.default) packages
