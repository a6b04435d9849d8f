# Completion of simtcc's command line for fish. The options come from simtcc itself.
function __simtcc_options
    set -l command (commandline -opc)
    $command[1] --list-options 2>/dev/null
end
function __simtcc_before
    set -l words (commandline -opc)
    contains -- $words[-1] $argv
end
complete -c simtcc -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__simtcc_options)'
complete -c simtcc -n '__simtcc_before --checks --counters' -f -a 'on off'
complete -c simtcc -n '__simtcc_before --gpu' -f -a 'simtlab h200 a100 rtx4090 l4 rtx3090 t4 v100 gtx1080 lecture'
complete -c simtcc -n '__simtcc_before --schedule' -f -a 'in-order reverse random:'
complete -c simtcc -n '__simtcc_before -x' -f -a cu
