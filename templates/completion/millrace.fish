# Completion of millrace for fish: millrace completion fish | source

function __millrace_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc) "$current"
    # The path of --out=path begins after the sign.
    set -l flag (string match -r -- '^--[^=]+=' "$current")
    set -l path (string replace -- "$flag" '' "$current")
    for line in ($words[1] completion fish -- $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                for each in (__fish_complete_path "$path")
                    echo "$flag$each"
                end
            case :folders
                for each in (__fish_complete_directories "$path")
                    echo "$flag$each"
                end
            case '*'
                echo $line
        end
    end
end

complete -c millrace -f -a '(__millrace_complete)'
