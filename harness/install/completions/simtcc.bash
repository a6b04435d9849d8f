# Completion of simtcc's command line for bash. The options come from simtcc itself.
_simtcc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  case $before in
    --checks | --counters) mapfile -t COMPREPLY < <(compgen -W 'on off' -- "$word"); return ;;
    --gpu) mapfile -t COMPREPLY < <(compgen -W 'simtlab h200 a100 rtx4090 l4 rtx3090 t4 v100 gtx1080 lecture' -- "$word"); return ;;
    --schedule) mapfile -t COMPREPLY < <(compgen -W 'in-order reverse random:' -- "$word"); return ;;
    -x) mapfile -t COMPREPLY < <(compgen -W 'cu' -- "$word"); return ;;
    -I | -L | -odir | --keep | --keep-dir) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]/#\~/$HOME}" --list-options 2> /dev/null | cut -f 1)" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _simtcc simtcc
