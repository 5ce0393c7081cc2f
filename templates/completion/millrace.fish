# Completion of millrace for fish: millrace completion fish | source

function __millrace_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc) "$current"
    for line in ($words[1] completion fish -- $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end

complete -c millrace -f -a '(__millrace_complete)'
