# The actions source this. Sets `folder` for their files, `words` to the flags of $ARGS, in which nothing is expanded, and
# `teebox` to the command: $PACKAGE, the package in node_modules, or else this repository.
folder="$RUNNER_TEMP/teebox-$1"
mkdir -p "$folder"
printf '%s' "$ARGS" | xargs -r -n 1 printf '%s\n' > "$folder/words"
mapfile -t words < "$folder/words"
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -n "$PACKAGE" ]; then
  teebox=(npx --yes --package "$PACKAGE" teebox)
elif [ -x node_modules/.bin/teebox ]; then
  teebox=(node_modules/.bin/teebox)
else
  [ -f "$repository/dist/cli.js" ] || npm ci --prefix "$repository" --no-audit --no-fund
  teebox=(node "$repository/dist/cli.js")
fi

# Runs a command that judges, and leaves its exit code, its reports and the summary of the step.
judge() {
  local name=$1 code=0 format
  shift
  "${teebox[@]}" "$@" || code=$?
  [ ! -f "$folder/$name.md" ] || cat "$folder/$name.md" >> "$GITHUB_STEP_SUMMARY"
  echo "exit-code=$code" >> "$GITHUB_OUTPUT"
  for format in sarif html json; do
    [ ! -f "$folder/$name.$format" ] || echo "$format=$folder/$name.$format" >> "$GITHUB_OUTPUT"
  done
  exit "$code"
}
