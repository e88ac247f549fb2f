# pathfinder: after a command that failed, the same command with its wrong paths made right.
# In ~/.zshrc: eval "$(pathfinder suggestions zsh)"
__pathfinder_preexec() { __pathfinder_said=$1 }
__pathfinder_suggest() {
    local status_=$? said=${__pathfinder_said-} right
    __pathfinder_said=
    # 130: it was interrupted.
    if [[ $status_ -ne 0 && $status_ -ne 130 && -n $said ]]; then
        right=$(pathfinder resolve --stdin --commands <<<"$said" 2>/dev/null)
        if [[ -n $right && $right != "$said" ]]; then print -ru2 -- "did you mean: $right"; fi
    fi
    return $status_
}
autoload -Uz add-zsh-hook
add-zsh-hook preexec __pathfinder_preexec
add-zsh-hook precmd __pathfinder_suggest
