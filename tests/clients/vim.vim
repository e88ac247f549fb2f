" What a person does in Vim with ALE, step by step; what is seen then is printed as lines of JSON.

let s:said = []
function! s:say(step, value) abort
  call add(s:said, json_encode({'step': a:step, 'value': a:value}))
endfunction

function! s:leave() abort
  call writefile(s:said, $OUT)
  qall!
endfunction

function! s:await(what, holds) abort
  let l:start = reltime()
  while !a:holds()
    if reltimefloat(reltime(l:start)) > str2float($LIMIT_S)
      call s:say('missed', a:what . ': ' . string(s:all()))
      call s:leave()
    endif
    sleep 20m
  endwhile
endfunction

" Problems of the buffer, as ALE marks them. The window's own list stays that of the buffer before until they are there.
function! s:all() abort
  return ale#engine#GetLoclist(bufnr('%'))
endfunction

function! s:seen() abort
  return map(copy(s:all()), {_, it -> {'line': it.lnum, 'columns': [it.col - 1, it.end_col], 'message': it.text, 'type': it.type}})
endfunction

" What the menu of actions offers is written down, and its first entry is chosen.
runtime autoload/ale/util.vim
function! ale#util#Input(message, value, ...) abort
  let s:offered = split(a:message, '\n')
  return '1'
endfunction

set noswapfile hidden

for s:name in split($FILES)
  execute 'edit' $ROOT . '/' . s:name
  call s:await('diagnostics in ' . s:name, {-> len(s:all()) > 0})
  call s:say(s:name, s:seen())
endfor

call s:await('the list of the window', {-> len(getloclist(0)) == 1})
let s:listed = map(getloclist(0), {_, it -> it.text})

" A line of ASCII, where ALE's columns are right.
call cursor(1, s:all()[0].col)
ALECodeAction
call s:await('the effect of an action', {-> getline(1) =~# 'install'})
write
call s:await('the end of the diagnostics', {-> empty(s:all())})
call s:say('offered', s:offered)
call s:say('listed', s:listed)
call s:leave()
