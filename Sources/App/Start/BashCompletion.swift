import Shell

/// An addition to the completion script for bash that the argument parser generates.
///
/// readline splits words at `=`, which the script does not expect. And `complete -o filenames`
/// appends a slash to each word that is also the name of a folder, such as a folder `eos`: this is
/// wrong for chains and labels. Without it, the script must quote words itself.
enum BashCompletion {
    /// - Parameter program: the name of the program, which begins the names of its functions.
    static func addition(for program: String) -> String {
        #"""

        # The words of a list are not file names.
        __\#(program)_add_completions() {
            local completion quote=''
            if [[ "${1}" = -W ]]; then
                compopt +o filenames 2>/dev/null
                [[ "${COMP_WORDS[COMP_CWORD]}" = [\'\"]* ]] || quote=true
            fi
            while IFS='' read -r completion; do
                if [[ -n "${quote}" ]]; then printf -v completion %q "${completion}"; fi
                COMPREPLY+=("${completion}")
            done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
        }

        # readline splits --vault=FILE and ACCOUNT=FILE at "=".
        _\#(program)_values() {
            local -a words=()
            local -i index at=0
            for index in "${!COMP_WORDS[@]}"; do
                if [[ "${COMP_WORDS[index]}" = '=' && "${index}" -lt "${COMP_CWORD}" ]]; then continue; fi
                if [[ "${index}" -eq "${COMP_CWORD}" ]]; then at=${#words[@]}; fi
                words+=("${COMP_WORDS[index]}")
            done
            local value="${2}"
            if [[ "${COMP_WORDS[COMP_CWORD]}" = '=' ]]; then value='' words[at]=''; fi
            if [[ "${COMP_WORDS[COMP_CWORD]}" = '=' || "${COMP_WORDS[COMP_CWORD - 1]}" = '=' ]] &&
                [[ "${words[at - 1]}" != -* ]]
            then
                compopt -o filenames 2>/dev/null
                local completion
                while IFS='' read -r completion; do
                    COMPREPLY+=("${completion}")
                done < <(compgen -f -- "${value}")
                return
            fi
            COMP_WORDS=("${words[@]}") COMP_CWORD=${at}
            _\#(program) "${1}" "${value}" "${words[at - 1]}"
        }
        complete -o filenames -F _\#(program)_values \#(program)

        """#
    }
}
