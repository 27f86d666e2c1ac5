# Completion of lanyard for PowerShell. Written by "npm run generate"; do not edit.
#
# Add to $PROFILE: lanyard completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName 'lanyard' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Flags that several commands share.
    # {{shared}}

    # Says what may stand after a command.
    #
    # A command is its name and summary. A flag is NAMES and its help, or NAMES=KIND when it takes a value. A
    # KIND is what completes a value: :file, :directory, :profile, :command (a command line of its own), :live
    # (listed by a service), choices (a|b|c), or nothing for free text. Operands are KINDs in order; "-" is free
    # text, and "..." says that the last one may repeat.
    function Get-Place([string] $path) {
        switch -CaseSensitive -Exact ($path) {
            # {{commands}}
        }
    }

    $topics = @(
        # {{topics}}
    )

    function Get-Names([string] $entry) {
        ($entry -replace '[= ].*$') -split ','
    }

    # The KIND of the value that a flag takes; $null when it takes none.
    function Get-Kind([string] $name) {
        foreach ($flag in $place.Flags) {
            $names, $kind = ($flag -split ' ', 2)[0] -split '=', 2
            if (($names -split ',') -ccontains $name) { return $kind }
        }
    }

    # The word as it must be typed.
    function Get-Quoted([string] $word) {
        # Typographic quotes end a text, too.
        if ($word -match '[^\w./\\:~+%=-]') { "'" + ($word -replace "['\u2018-\u201b]", '$0$0') + "'" } else { $word }
    }

    function New-Candidate([string] $text, [string] $help, [string] $type, [string] $prefix = '') {
        if (-not "$prefix$text".StartsWith($current, [System.StringComparison]::Ordinal)) { return }
        $about = if ($help) { $help } else { $text }
        [System.Management.Automation.CompletionResult]::new((Get-Quoted "$prefix$text"), $text, $type, $about)
    }

    # Commands, flags and topics are written with their help after a space.
    function New-Listed([string[]] $entries, [string] $type) {
        foreach ($entry in $entries) {
            $help = ($entry -split ' ', 2)[1]
            foreach ($name in Get-Names $entry) { New-Candidate $name $help $type }
        }
    }

    function Get-Paths([string] $prefix, [bool] $foldersOnly) {
        if ($current.Substring($prefix.Length) -match '^(@|file://)') { $prefix += $Matches[1] }
        $path = $current.Substring($prefix.Length)
        foreach ($found in [System.Management.Automation.CompletionCompleters]::CompleteFilename($path)) {
            if ($foldersOnly -and $found.ResultType -ne 'ProviderContainer') { continue }
            $bare = $found.CompletionText -replace "^'(.*)'$", '$1' -replace "''", "'"
            [System.Management.Automation.CompletionResult]::new(
                (Get-Quoted "$prefix$bare"), $found.ListItemText, $found.ResultType, $found.ToolTip)
        }
    }

    function Get-Values([string] $kind, [string] $prefix) {
        switch ($kind) {
            '' { }
            '-' { }
            ':file' { Get-Paths $prefix $false }
            ':directory' { Get-Paths $prefix $true }
            ':profile' {
                foreach ($line in (lanyard profile list 2>$null)) {
                    $name = ($line -split "`t")[0]
                    New-Candidate $name '' 'ParameterValue' $prefix
                }
            }
            ':live' {
                if ($env:LANYARD_COMPLETION -ceq 'static') { return }
                foreach ($line in (lanyard __complete powershell "=$current" '--' @words 2>$null)) {
                    $name, $help = $line -split "`t", 2
                    if ($own -and $line -ceq ':file') { return Get-Paths $prefix $false }
                    New-Candidate $name $help 'ParameterValue' $prefix
                }
            }
            ':command' { [System.Management.Automation.CompletionCompleters]::CompleteCommand($current) }
            default { foreach ($choice in $kind -split '\|') { New-Candidate $choice '' 'ParameterValue' $prefix } }
        }
    }

    # What completes the operand at the cursor: a KIND, or :flags where none can stand.
    function Get-OperandKind {
        $operands = @($place.Operands | Where-Object { $_ })
        if ($given -lt $operands.Count) {
            $kind = $operands[$given] -replace '\.\.\.$'
        } elseif ($operands.Count -gt 0 -and $operands[-1].EndsWith('...')) {
            $kind = if ($operands[-1] -eq ':command...') { ':file' } else { $operands[-1] -replace '\.\.\.$' }
        } else {
            $kind = ':flags'
        }
        if ($ended -and $kind -ne ':command') { ':file' } else { $kind }
    }

    $current = $wordToComplete -replace '[''"]'
    $path = ''
    $pending = $null
    $ended = $false
    $helping = $false
    $own = $false
    $before = ''
    $manual = $false
    $given = 0
    $words = @()
    $place = Get-Place ''
    foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        $words += if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $word }
        if ($null -ne $pending) { $pending = $null }
        elseif ($ended) { $given++ }
        elseif ($word -ceq '--') { $ended = $true }
        elseif ($word -cmatch '^--.*=') { continue }
        elseif ($helping -and $word -ceq '--man') { $manual = $true }
        elseif ($word -cmatch '^--') { $pending = Get-Kind $word }
        elseif ($word -cmatch '^-(.+)') {
            # The first that takes a value has the rest of the word, or else the next one.
            $letters = $Matches[1]
            for ($index = 0; $index -lt $letters.Length; $index++) {
                $kind = Get-Kind "-$($letters[$index])"
                if ($null -eq $kind) { continue }
                if ($index -eq $letters.Length - 1) { $pending = $kind }
                break
            }
        }
        elseif ($given -eq 0 -and @($place.Commands | ForEach-Object { Get-Names $_ }) -ccontains $word) {
            $path = "$path $word".Trim()
            $place = Get-Place $path
        }
        else {
            $given++
            # After a flag that only some commands have, it may be a value.
            if ($path -eq '' -and -not $helping -and $given -eq 1 -and $before -cnotmatch '^-') { $own = $true }
        }
        $before = $word
        # "help" is followed by the words of any command.
        if (-not $helping -and $path -ceq 'help') {
            $helping = $true
            $path = ''
            $place = Get-Place ''
        }
    }

    $candidates = @(
        if ($own) {
            # An alias or a plugin: of what follows, only the program itself knows what it is.
            Get-Values ':live' ''
        }
        elseif ($helping -and $current.StartsWith('-')) { New-Listed @('--man show the man page') 'ParameterName' }
        elseif ($helping) {
            if ($given -eq 0) {
                New-Listed @($place.Commands | Where-Object { $_ -and $_ -notlike 'help *' }) 'Command'
                if ($path -eq '' -and $manual) {
                    New-Listed @('config Configuration files, profiles and settings') 'ParameterValue'
                }
                elseif ($path -eq '') { New-Listed $topics 'ParameterValue' }
            }
        }
        elseif ($null -ne $pending) { Get-Values $pending '' }
        elseif (-not $ended -and $current -cmatch '^(--[^=]+)=') {
            Get-Values (Get-Kind $Matches[1]) "$($Matches[1])="
        }
        elseif (-not $ended -and $current.StartsWith('-')) { New-Listed $place.Flags 'ParameterName' }
        elseif ($ended -or -not $place.Commands) {
            $kind = Get-OperandKind
            if ($kind -eq ':flags') { New-Listed $place.Flags 'ParameterName' } else { Get-Values $kind '' }
        }
        elseif ($given -eq 0) {
            New-Listed $place.Commands 'Command'
            if ($path -eq '') { Get-Values ':live' '' }
        }
    )
    # Without any answer PowerShell would offer files.
    if ($candidates) { $candidates } else { '' }
}
