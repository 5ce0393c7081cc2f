# Completion of millrace for bash: source <(millrace completion bash)

_millrace() {
  local i word glued='' words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    # bash breaks words at = and :, which are part of them here.
    if [[ ${#words[@]} -gt 0 && ( -n $glued || $word =~ ^[=:]+$ ) ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    [[ $word =~ ^[=:]+$ ]] && glued=1 || glued=''
  done

  # The part of the word that bash replaces, and the part before it.
  local current=${COMP_WORDS[COMP_CWORD]}
  [[ $current =~ ^[=:]+$ ]] && current=''
  local whole=${words[${#words[@]} - 1]}
  local before=${whole%"$current"}

  local line value paths='' open=''
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) paths=-f ;;
      :folders) paths=-d ;;
      *)
        value=${line%%$'\t'*}
        [[ $value == *= ]] && open=1
        COMPREPLY+=("${value#"$before"}")
        ;;
    esac
  done < <("${COMP_WORDS[0]/#\~/$HOME}" completion bash -- "${words[@]}" 2>/dev/null)

  if [[ -n $paths ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$paths" -- "$current")
  elif [[ -n $open ]]; then
    compopt -o nospace 2>/dev/null
  fi
}

complete -F _millrace millrace
