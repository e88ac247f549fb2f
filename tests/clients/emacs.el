;;; What a person does in Emacs, step by step; what is seen then is printed as lines of JSON.  -*- lexical-binding: t -*-

(require 'eglot)
(require 'json)
(require 'seq)

(setq make-backup-files nil
      create-lockfiles nil
      auto-save-default nil
      native-comp-jit-compilation nil
      eglot-send-changes-idle-time 0.05
      ;; These would ask.
      eglot-confirm-server-edits nil
      vc-follow-symlinks t)
;; Modes for these are not part of Emacs, or need a parser that is not.
(add-to-list 'auto-mode-alist '("\\.ts\\'" . js-mode))
(add-to-list 'auto-mode-alist '("\\.rs\\'" . prog-mode))
(add-to-list 'auto-mode-alist '("\\.md\\'" . text-mode))

(defun say (step value)
  (princ (concat (encode-coding-string (json-serialize (list :step step :value value)) 'utf-8) "\n")))

(defun await (what holds)
  "Turn the event loop until HOLDS. There is none in batch, nor is anybody ever idle there."
  (let ((end (time-add nil 60)) seen)
    (while (not (setq seen (funcall holds)))
      (when (time-less-p end nil) (error "no %s in 60 s" what))
      (accept-process-output nil 0.02)
      (ignore-errors (read-event nil nil 0.01))
      (dolist (timer (copy-sequence timer-idle-list))
        (unless (timer--repeat-delay timer) (timer-event-handler timer))))
    seen))

(defun diagnostics ()
  (flymake-start)
  (sort (flymake-diagnostics) (lambda (a b) (< (flymake-diagnostic-beg a) (flymake-diagnostic-beg b)))))

(defun open (name)
  (find-file (expand-file-name name (getenv "ROOT")))
  (unless (eglot-current-server)
    ;; What `eglot-ensure' does at the next turn of the command loop.
    (apply #'eglot (eglot--guess-contact)))
  (unless eglot--managed-mode (eglot--maybe-activate-editing-mode))
  (await (concat "diagnostics in " name) #'diagnostics))

(defun none ()
  (await (format "end of the diagnostics of %s" (buffer-name)) (lambda () (null (diagnostics)))))

;; Columns count characters, from the beginning of the line.
(defun seen ()
  (vconcat
   (mapcar (lambda (it)
             (save-excursion
               (goto-char (flymake-diagnostic-beg it))
               (list :line (line-number-at-pos)
                     :columns (vector (- (point) (pos-bol)) (- (flymake-diagnostic-end it) (pos-bol)))
                     :message (flymake-diagnostic-text it)
                     :type (symbol-name (flymake-diagnostic-type it)))))
           (diagnostics))))

(defun act (beg end choose &optional kind)
  "What the menu of actions offers, after CHOOSE has chosen one of them."
  (let ((actions (eglot-code-actions beg end kind)))
    (eglot-execute (eglot-current-server) (funcall choose actions))
    (vconcat (mapcar (lambda (it) (plist-get it :title)) actions))))

(dolist (name '("web/src/app.ts" "tools/report.py" "service/src/main.rs" "docs/guide.md"))
  (open name)
  (let ((all (seen)) offered)
    (while (diagnostics)
      (let ((it (car (diagnostics))) (count (length (diagnostics))))
        (setq offered (act (flymake-diagnostic-beg it) (flymake-diagnostic-end it) #'car "quickfix"))
        (await "effect of an action" (lambda () (< (length (diagnostics)) count)))))
    (save-buffer)
    (none)
    (say name (list :diagnostics all :offered offered))))

;; All of a file at once.
(open "web/src/all.ts")
(act (point-min) (point-max) #'car "source.fixAll")
(none)
(save-buffer)

;; A file is made elsewhere.
(open "docs/later.md")
(make-directory (expand-file-name "docs/decisions" (getenv "ROOT")))
(write-region "" nil (expand-file-name "docs/decisions/0001-record.md" (getenv "ROOT")) nil 'quiet)
(none)

;; A command, which has the editor make the file.
(open "docs/create.md")
(let ((it (car (diagnostics))))
  (say "created"
       (list :offered
             (act (flymake-diagnostic-beg it) (flymake-diagnostic-end it)
                  (lambda (actions) (seq-find (lambda (it) (string-prefix-p "Create" (plist-get it :title))) actions))))))
(with-current-buffer (get-file-buffer (expand-file-name "docs/create.md" (getenv "ROOT"))) (none))

;; What a path leads to.
(find-file (expand-file-name "docs/links.md" (getenv "ROOT")))
(search-forward "images/pl")
(say "hover"
     (let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
       (plist-get (plist-get hover :contents) :value)))
(goto-char (point-min))
(search-forward "../web")
(xref-find-definitions (xref-backend-identifier-at-point 'eglot))
(say "definition" (buffer-file-name (window-buffer)))

(say "left"
     (vconcat (mapcan (lambda (buffer)
                        (with-current-buffer buffer (and flymake-mode (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))))
                      (buffer-list))))
(eglot-shutdown (eglot-current-server) nil 30)
