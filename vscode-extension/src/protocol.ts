// What the program is asked beyond the language server protocol, and what it answers: docs/protocol.md.

export interface Candidate {
  readonly path: string;
  readonly score: number;
  /** There with several roots only. */
  readonly root?: string;
}

export interface Resolved {
  readonly status: 'exists' | 'resolved' | 'ambiguous' | 'not_found' | 'error';
  readonly path?: string;
  readonly root?: string;
  readonly confidence?: number;
  readonly why?: string;
  readonly message?: string;
  readonly next_question?: string;
  readonly candidates?: readonly Candidate[];
}

export interface Found {
  readonly status: 'found' | 'none';
  readonly results: readonly (Candidate & { readonly why: string; readonly line?: number })[];
}

export interface Root {
  readonly path: string;
  readonly files: number;
  readonly directories: number;
  readonly state: string;
}

export interface Reindexed {
  readonly files: number;
  readonly directories: number;
  readonly elapsed_ms: number;
}

/** What `pathfinder/status` says. */
export interface Status {
  readonly state: 'indexing' | 'checking' | 'ready' | 'failed';
  readonly files: number;
  readonly broken: number;
  readonly version: string;
  readonly message?: string;
}
