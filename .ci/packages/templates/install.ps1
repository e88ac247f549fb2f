# Installs {{name}} below $Prefix (default: %LOCALAPPDATA%\Programs\{{name}}) after its checksum was compared.
#   irm {{repository}}/releases/latest/download/install.ps1 | iex
param([string]$Prefix = (Join-Path $env:LOCALAPPDATA 'Programs\{{name}}'), [string]$Downloads = '{{downloads}}')
# A scope of its own: `iex` runs this in the session of the user, which keeps its settings.
& {
    $ErrorActionPreference = 'Stop'
    $machine = if ($env:PROCESSOR_ARCHITECTURE -eq 'ARM64') { 'aarch64' } else { 'x86_64' }
    $target = "$machine-pc-windows-msvc"
    $work = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
    New-Item -ItemType Directory -Path $work, $Prefix -Force | Out-Null
    try {
        $packed = Join-Path $work '{{name}}.gz'
        $program = Join-Path $work '{{name}}.exe'
        Invoke-WebRequest -UseBasicParsing "$Downloads/{{name}}-$target.gz" -OutFile $packed
        Invoke-WebRequest -UseBasicParsing "$Downloads/{{name}}-$target.sha256" -OutFile (Join-Path $work 'sha256')
        $expected = (Get-Content (Join-Path $work 'sha256') -First 1).Split(' ')[0]
        $from = [IO.File]::OpenRead($packed)
        $to = [IO.File]::Create($program)
        try { (New-Object IO.Compression.GZipStream($from, [IO.Compression.CompressionMode]::Decompress)).CopyTo($to) }
        finally { $to.Dispose(); $from.Dispose() }
        $found = (Get-FileHash $program -Algorithm SHA256).Hash.ToLowerInvariant()
        if ($found -ne $expected) { throw "the checksum of {{name}}-$target is $found, not $expected; nothing was installed" }
        Move-Item -Force $program (Join-Path $Prefix '{{name}}.exe')
        "$(& (Join-Path $Prefix '{{name}}.exe') --version) is installed: $Prefix"
        $path = [Environment]::GetEnvironmentVariable('Path', 'User')
        if (($path -split ';') -notcontains $Prefix) {
            # setx would write the machine's PATH into the user's, and cut it at 1,024 characters.
            $quoted = $Prefix.Replace("'", "''")
            "add it to the PATH: [Environment]::SetEnvironmentVariable('Path', '$quoted;' + [Environment]::GetEnvironmentVariable('Path', 'User'), 'User')"
        }
    }
    finally { Remove-Item -Recurse -Force $work }
}
