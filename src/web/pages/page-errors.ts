/** The page cannot be shown to this visitor now; another one can. */
export class GoElsewhere extends Error {
  /** `path` is one of this service. */
  constructor(readonly path: string) {
    super('another page comes first');
  }
}

/** A form that no page of ours has made for this visitor, or for an earlier session of theirs. */
export class FormRefused extends Error {}
