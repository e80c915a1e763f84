/** Shells with a completion script. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/**
 * The completion script of a shell. It calls `sav complete`, which prints a line for each candidate, with a tab before
 * its explanation.
 * @param commands the top-level ones, which the script names
 */
export function completionScript(shell: Shell, commands: readonly string[]): string {
  const names = `# Completes ${commands.join(' ')}, and what is below them.`
  switch (shell) {
    case 'bash':
      return `${names}
_sav() {
  local IFS=$'\\n' line word last=0
  local words=("")
  COMPREPLY=()
  # Bash splits words at colons, and sav does not: join them again.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $last -gt 0 && ( $word == :* || \${words[last]} == *: ) ]]; then
      words[last]+=$word
    else
      words[++last]=$word
    fi
  done
  for line in $(sav complete -- "\${words[@]:1}" 2>/dev/null); do
    line=\${line%%$'\\t'*}
    # Bash replaces only the text after the last colon.
    [[ \${words[last]} == *:* ]] && line=\${line#"\${words[last]%:*}:"}
    COMPREPLY+=("$line")
  done
}
complete -o default -o nosort -F _sav sav 2>/dev/null || complete -o default -F _sav sav`
    case 'zsh':
      return `#compdef sav
${names}
_sav() {
  local -a found
  local line
  for line in "\${(@f)$(sav complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#found )) && _describe -V sav found || _files
}
[[ $funcstack[1] == _sav ]] && _sav "$@" || compdef _sav sav`
    case 'fish':
      return `${names}
function __sav_complete
  set -l words (commandline -opc) (commandline -ct)
  sav complete -- $words[2..] 2>/dev/null
end
complete -c sav -k -a '(__sav_complete)'`
  }
}
