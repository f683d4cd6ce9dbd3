// The little shell program that stands beside every process which uses an embedded server. It outlives its owner,
// however that dies, and stops the server when it was the last user. A shell: 1 MB, starts in a millisecond, is
// everywhere. It knows process ids and files only.
//
// Arguments: the users directory, the data directory, the process id of its owner, and that of an earlier watchdog to
// stand in for, if any.
// Input: the id of a postmaster that the owner started, if any; then nothing until the owner leaves or dies, which
// closes the pipe. Output: the word "ready" once the owner is registered.
//
// A registration is an empty file user.<owner>.<when the owner began>.<watchdog>. While one leaves there is also
// closing.<watchdog>: the leaver shows that first and looks for users second, a newcomer registers first and looks for
// leavers second, so at least one of two that meet sees the other, and none adopts a server that is about to stop.
export const WATCHDOG_SCRIPT = String.raw`
users=$1 data=$2 owner=$3 replaces=$4 started=
# PIPE too: an owner that was killed hears no "ready", and its registration must still go.
trap '' HUP INT QUIT TERM PIPE

began() { # prints when process $1 began, which tells it from a later one with the same id; fails if it is dead
  if [ -r /proc/self/stat ]; then
    # The 22nd field; the second, the name in brackets, may hold spaces.
    set -- $(sed 's/.*) //' "/proc/$1/stat")
    [ $# -ge 20 ] && [ "$1" != Z ] && shift 19 && echo "$1"
  else
    ps -o lstart= -p "$1" | tr -d ' :' | grep .
  fi
} 2>/dev/null

is_ours() { # is process $1 the server of our data directory, or the shell about to become it?
  [ -n "$1" ] || return 1
  if [ -r /proc/self/stat ]; then
    tr '\0' '\n' <"/proc/$1/cmdline" | grep -qFxe "-D$data"
  else
    ps -o command= -p "$1" | grep -qFe "-D$data"
  fi
} 2>/dev/null

has_users() { # forgets the dead ones on the way
  for file in "$users"/user.*; do
    user=$(basename "$file" | cut -d. -f2)
    since=$(basename "$file" | cut -d. -f3)
    [ -e "$file" ] && [ -n "$since" ] && [ "$(began "$user")" = "$since" ] && return 0
    rm -f "$file"
  done
  return 1
}

stop() { # fast shutdown; an immediate one, which recovery repairs, when that has not helped in a minute
  kill -INT "$1"
  tries=0
  while is_ours "$1"; do
    sleep 0.05
    tries=$((tries + 1))
    [ "$tries" = 1200 ] && kill -QUIT "$1"
    [ "$tries" = 2400 ] && return 1
  done
}

# One that is dead by now has started nothing, and nobody would ever take its registration away.
since=$(began "$owner") || exit
own=user.$owner.$since.$$
true >"$users/$own"
[ -n "$replaces" ] && rm -f "$users"/user.*."$replaces"
echo ready
while read -r line; do started=$line; done
true >"$users/closing.$$"
rm -f "$users/$own"
if ! has_users; then
  noted=
  [ -r "$data/postmaster.pid" ] && read -r noted <"$data/postmaster.pid"
  for pid in $started $noted; do
    is_ours "$pid" && stop "$pid"
  done
fi
rm -f "$users/closing.$$"
`
