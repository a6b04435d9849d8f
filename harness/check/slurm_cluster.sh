#!/bin/sh
# A cluster of Slurm on this one host, for tests: munged, slurmctld and three slurmd, with two pretended GPUs on node n1.
# As root, with Debian's packages slurm-wlm, slurm-wlm-basic-plugins and munge; no systemd.
#   slurm_cluster.sh start DIR    an empty folder; returns when three nodes are idle; then SLURM_CONF=DIR/slurm.conf
#   slurm_cluster.sh node DIR N   starts the daemon of node N again
#   slurm_cluster.sh controller DIR   starts slurmctld again, which goes on where it was
#   slurm_cluster.sh mend DIR     ends all jobs, starts what was killed; returns when three nodes are idle
#   slurm_cluster.sh stop DIR     ends all daemons and jobs
# With SLURM_TEST_OWNER=PROCESS the cluster ends by itself soon after that process, and DIR goes away. SLURM_TEST_PORT is
# the first of four free ports.
set -eu
if [ $# -lt 2 ]; then
  sed -n 's/^#   slurm_cluster/usage: slurm_cluster/p' "$0" >&2
  exit 2
fi
what=$1
dir=$2
base=${SLURM_TEST_PORT:-16817}
host=$(hostname)

fail() {
  echo "slurm_cluster.sh: $*" >&2
  exit 1
}

write_configuration() {
  cat >"$dir/slurm.conf" <<CONF
ClusterName=simtlab
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge/socket,cred_expire=5
SlurmctldPort=$base
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.%n.pid
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobCompType=jobcomp/filetxt
JobCompLoc=$dir/log/jobs
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=2,batch_sched_delay=0
SwitchType=switch/none
MpiDefault=none
MaxArraySize=${SLURM_TEST_ARRAY:-1001}
ReturnToService=2
SlurmdTimeout=5
KillWait=2
GresTypes=gpu
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=2 RealMemory=9000 Gres=gpu:fake:2
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=2 RealMemory=9000
NodeName=n3 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 3)) CPUs=2 RealMemory=9000
PartitionName=lab Nodes=n[1-3] Default=YES State=UP
CONF
  echo "NodeName=n1 Name=gpu Type=fake File=$dir/gpu[0-1]" >"$dir/gres.conf"
  mknod "$dir/gpu0" c 1 3
  mknod "$dir/gpu1" c 1 3
}

start_munged() {
  mkdir -m 755 "$dir/munge"
  dd if=/dev/urandom of="$dir/munge/key" bs=128 count=1 2>/dev/null
  chmod 600 "$dir/munge/key"
  chown -R munge: "$dir/munge"
  setpriv --reuid munge --regid munge --clear-groups munged --key-file="$dir/munge/key" \
    --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" --log-file="$dir/munge/log" --seed-file="$dir/munge/seed"
}

kill_of() {
  for file in "$@"; do
    if [ -s "$file" ]; then kill -9 "$(cat "$file")" 2>/dev/null || true; fi
  done
}

is_there() {
  [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null
}

await_idle() {
  tries=0
  until [ "$(sinfo --noheader --Node --format=%N,%t 2>/dev/null | grep -c ',idle$')" = 3 ]; do
    tries=$((tries + 1))
    [ $tries -lt 500 ] || fail "the nodes are not idle after 100 s: see $dir/log"
    for node in $(sinfo --noheader --Node --states=down,drain,fail --format=%N 2>/dev/null); do
      scontrol update NodeName="$node" State=RESUME 2>/dev/null || true
    done
    sleep 0.2
  done
}

case $what in
start)
  [ "$(id -u)" = 0 ] || fail "this is no root"
  for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || fail "$program not found: apt-get install slurm-wlm slurm-wlm-basic-plugins munge"
  done
  mkdir -p "$dir/state" "$dir/log" "$dir/run" "$dir/spool.n1" "$dir/spool.n2" "$dir/spool.n3"
  write_configuration
  start_munged
  export SLURM_CONF="$dir/slurm.conf"
  slurmctld -c -f "$dir/slurm.conf"
  for node in n1 n2 n3; do slurmd -N $node -f "$dir/slurm.conf"; done
  await_idle
  # In a session of its own, so that it outlives whoever kills the owner's whole process group.
  if [ -n "${SLURM_TEST_OWNER:-}" ]; then setsid "$0" watch "$dir" </dev/null >/dev/null 2>&1 & fi
  ;;
node)
  SLURM_CONF="$dir/slurm.conf" slurmd -N "$3" -f "$dir/slurm.conf"
  ;;
controller)
  SLURM_CONF="$dir/slurm.conf" slurmctld -f "$dir/slurm.conf"
  ;;
mend)
  export SLURM_CONF="$dir/slurm.conf"
  is_there "$dir/run/slurmctld.pid" || slurmctld -f "$dir/slurm.conf"
  for node in n1 n2 n3; do
    is_there "$dir/run/slurmd.$node.pid" || slurmd -N $node -f "$dir/slurm.conf"
  done
  scancel --quiet --user=root 2>/dev/null || true
  await_idle
  ;;
stop)
  SLURM_CONF="$dir/slurm.conf" scancel --quiet --user=root 2>/dev/null || true
  sleep 0.5
  kill_of "$dir"/run/*.pid "$dir/munge/pid"
  ;;
watch)
  while [ -d "$dir" ] && kill -0 "$SLURM_TEST_OWNER" 2>/dev/null; do sleep 1; done
  [ -d "$dir" ] || exit 0
  "$0" stop "$dir"
  rm -rf "$dir"
  ;;
*) fail "expected start, node, controller, mend or stop, found $what" ;;
esac
