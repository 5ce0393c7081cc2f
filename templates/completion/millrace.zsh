#compdef millrace
# Completion of millrace for zsh: source <(millrace completion zsh)

_millrace() {
  local line value paths=''
  local -a values shown open
  for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    value=${line%%$'\t'*}
    case $line in
      '') ;;
      :files | :folders) paths=$line ;;
      *)
        if [[ $value == *= ]]; then
          open+=("$value")
        else
          values+=("$value")
          shown+=("$value  ${line#*$'\t'}")
        fi
        ;;
    esac
  done
  (( $#values )) && compadd -l -d shown -a values
  (( $#open )) && compadd -S '' -a open
  if [[ -n $paths ]]; then
    compset -P '--*='
    if [[ $paths == :folders ]]; then _files -/; else _files; fi
  fi
}

compdef _millrace millrace
