#!/usr/bin/env bash
# Real manuals as a crawler's input: Debian's Python 3.11, SQLite and Debian reference (Chinese) documentation, about 1,100
# pages, served by nginx on loopback. Needs Debian 12 and python3; root only if apt demands it. Nothing is installed: packages
# are unpacked below DIR, nginx runs from there on unprivileged ports.
#
#   bench/real-docs.sh serve DIR    fetch and unpack what is missing, start nginx, print the origins
#   bench/real-docs.sh walk DIR     every page that links reach, by bench/link-walk.py
#   bench/real-docs.sh check DIR    crawl with freshet (npm run build first) and compare what nginx served with the walk
#   bench/real-docs.sh kill DIR     after check: crawl again in another folder, kill -9 it at random times until one run ends by
#                                   itself, and compare what is known and found with the undisturbed crawl
#   bench/real-docs.sh stop DIR
set -euo pipefail

readonly PACKAGES=(nginx nginx-common python3.11-doc sqlite3-doc debian-reference-zh-cn)
# Name, port and folder of each site.
readonly SITES=(
  'python 8901 usr/share/doc/python3.11/html'
  'sqlite 8902 usr/share/doc/sqlite3'
  'debian 8903 usr/share/debian-reference'
)
readonly COMMAND=${1:?serve, walk, check, kill or stop} DIR=$(realpath -m "${2:?a folder to work in}")
here=$(dirname "$(realpath "$0")")
readonly here

main() {
  case $COMMAND in
    serve) unpack && configure && start && each_site origin ;;
    walk) each_site walk | sort ;;
    check) check ;;
    kill) kill_and_compare ;;
    stop) kill "$(cat "$DIR/nginx.pid")" ;;
    *) echo "unknown command $COMMAND" >&2 && exit 2 ;;
  esac
}

# Calls a function with name, port and folder of every site.
each_site() {
  local site
  for site in "${SITES[@]}"; do
    # shellcheck disable=SC2086
    "$1" $site
  done
}

origin() { echo "http://127.0.0.1:$2"; }

walk() { python3 "$here/link-walk.py" --root "$DIR/root/$3" --origin "http://127.0.0.1:$2" --robots "$DIR/robots/$1.txt"; }

unpack() {
  [ -d "$DIR/root" ] && return
  mkdir -p "$DIR/packages"
  (cd "$DIR/packages" && apt-get download -q "${PACKAGES[@]}" >/dev/null)
  for package in "$DIR"/packages/*.deb; do dpkg -x "$package" "$DIR/root"; done
}

configure() {
  mkdir -p "$DIR/robots" "$DIR/logs" "$DIR/tmp"
  printf 'User-agent: *\nDisallow: /distutils/\nDisallow: /_sources/\nAllow: /distutils/index.html\n' >"$DIR/robots/python.txt"
  : >"$DIR/robots/sqlite.txt"
  printf 'User-agent: *\nDisallow: /ch12\n' >"$DIR/robots/debian.txt"
  {
    [ "$(id -u)" -eq 0 ] && echo 'user root;' # DIR may be closed to others
    cat <<CONF
worker_processes 1;
pid $DIR/nginx.pid;
error_log $DIR/logs/error.log;
events { worker_connections 512; }
http {
  include $DIR/root/etc/nginx/mime.types;
  default_type application/octet-stream;
  log_format visits '\$msec\t\$http_host\t\$request_method\t\$request_uri\t\$status\t\$sent_http_content_type';
  gzip on;
  client_body_temp_path $DIR/tmp/body;
  proxy_temp_path $DIR/tmp/proxy;
  fastcgi_temp_path $DIR/tmp/fastcgi;
  uwsgi_temp_path $DIR/tmp/uwsgi;
  scgi_temp_path $DIR/tmp/scgi;
CONF
    each_site server_block
    echo '}'
  } >"$DIR/nginx.conf"
}

server_block() {
  cat <<CONF
  server {
    listen 127.0.0.1:$2;
    root $DIR/root/$3;
    index index.html index.zh-cn.html;
    absolute_redirect on;
    access_log $DIR/logs/access.log visits;
    location = /robots.txt { alias $DIR/robots/$1.txt; }
  }
CONF
}

start() {
  if [ -f "$DIR/nginx.pid" ] && kill -0 "$(cat "$DIR/nginx.pid")" 2>/dev/null; then return; fi
  "$DIR/root/usr/sbin/nginx" -p "$DIR" -e "$DIR/logs/error.log" -c "$DIR/nginx.conf"
}

# The judge is the log of the web server, not what the crawler says of itself.
check() {
  unpack && configure && start
  rm -rf "$DIR/crawl"
  : >"$DIR/logs/access.log"
  # shellcheck disable=SC2046
  node "$here/../dist/cli/main.js" crawl $(each_site origin) --data "$DIR/crawl" --allow-private 127.0.0.1 --delay 10ms
  awk -F'\t' '$5 == 200 && $6 ~ /^text\/html/ { print "http://" $2 $4 }' "$DIR/logs/access.log" | sort >"$DIR/served"
  each_site walk | sort >"$DIR/walked"
  compare
}

compare() {
  local missed twice extra
  missed=$(comm -13 <(uniq "$DIR/served") "$DIR/walked")
  extra=$(comm -23 <(uniq "$DIR/served") "$DIR/walked")
  twice=$(uniq -d "$DIR/served")
  [ -n "$missed" ] && printf 'Reached by links and not fetched:\n%s\n' "$missed"
  [ -n "$extra" ] && printf 'Fetched and not reached by links:\n%s\n' "$extra"
  [ -n "$twice" ] && printf 'Fetched more than once:\n%s\n' "$twice"
  echo "$(wc -l <"$DIR/walked") pages reached by links, $(uniq "$DIR/served" | wc -l) fetched"
  [ -z "$missed$extra$twice" ]
}

# Seconds until each kill; then the run is left to end by itself.
readonly KILLS=(0.4 1.1 2.3 0.7 3.1 1.7 0.9 2.9 4.3 1.3)

kill_and_compare() {
  unpack && configure && start
  rm -rf "$DIR/killed"
  local run seconds
  # shellcheck disable=SC2046
  run=(node "$here/../dist/cli/main.js" crawl $(each_site origin) --data "$DIR/killed" --allow-private 127.0.0.1 --delay 10ms --quiet)
  for seconds in "${KILLS[@]}"; do
    timeout --signal=KILL "$seconds" "${run[@]}" || true
  done
  "${run[@]}"
  local folder word
  for folder in crawl killed; do
    {
      freshet urls --json --data "$DIR/$folder" | python3 -c '
import json, sys
for row in json.load(sys.stdin): print(row["url"], row["state"], row["reason"], row["title"])'
      for word in decorator 'list comprehension' sqlite3_open 'write-ahead log' 内核 软件包; do
        echo "$word: $(freshet search "$word" --json --limit 1000 --data "$DIR/$folder" | python3 -c '
import json, sys
hits = [hit["url"] for hit in json.load(sys.stdin)["hits"]]
print(len(hits), len(set(hits)), *sorted(hits))')"
      done
    } | sort >"$DIR/$folder.state"
  done
  diff "$DIR/crawl.state" "$DIR/killed.state" && echo "$(wc -l <"$DIR/killed.state") lines of state and results are the same after ${#KILLS[@]} kills"
}

freshet() { node "$here/../dist/cli/main.js" "$@"; }

main
