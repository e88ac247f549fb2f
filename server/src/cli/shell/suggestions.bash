# pathfinder: after a command that failed, the same command with its wrong paths made right.
# In ~/.bashrc: eval "$(pathfinder suggestions bash)"
__pathfinder_suggest() {
    local status=$? said right
    # 130: it was interrupted. Without history nobody knows what was typed.
    if [[ $status -ne 0 && $status -ne 130 ]]; then
        said=$(HISTTIMEFORMAT='' builtin history 1)
        if [[ $said =~ ^\ *([0-9]+)[\ *]+(.*)$ && ${BASH_REMATCH[1]} != "${__pathfinder_last-}" ]]; then
            __pathfinder_last=${BASH_REMATCH[1]}
            said=${BASH_REMATCH[2]}
            right=$(pathfinder resolve --stdin --commands <<<"$said" 2>/dev/null)
            if [[ -n $right && $right != "$said" ]]; then printf 'did you mean: %s\n' "$right" >&2; fi
        fi
    fi
    return $status
}
case ";${PROMPT_COMMAND-};" in
    *';__pathfinder_suggest;'*) ;;
    *) PROMPT_COMMAND="__pathfinder_suggest;${PROMPT_COMMAND-}" ;;
esac
