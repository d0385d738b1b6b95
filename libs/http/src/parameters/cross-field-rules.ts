/** Looks at which fields of a hash are given; answers the sentence of its refusal, or nothing. */
export type CrossFieldRule = (isGiven: (field: string) => boolean) => string | undefined;

/** At most one of the fields may be given. */
export function mutuallyExclusive(...fields: string[]): CrossFieldRule {
  return (isGiven) => {
    const given = fields.filter(isGiven);
    return given.length > 1 ? `${given.join(', ')} are mutually exclusive` : undefined;
  };
}

/** One of the fields must be given. */
export function atLeastOneOf(...fields: string[]): CrossFieldRule {
  return (isGiven) =>
    fields.some(isGiven)
      ? undefined
      : `${fields.join(', ')} are missing, at least one parameter must be provided`;
}

/** One of the fields, and no second, must be given. */
export function exactlyOneOf(...fields: string[]): CrossFieldRule {
  return (isGiven) => {
    if (!fields.some(isGiven)) {
      return `${fields.join(', ')} are missing, exactly one parameter must be provided`;
    }
    return mutuallyExclusive(...fields)(isGiven);
  };
}

/** The fields make sense together only: all are given, or none. */
export function allOrNone(...fields: string[]): CrossFieldRule {
  return (isGiven) => {
    const given = fields.filter(isGiven).length;
    return given === 0 || given === fields.length
      ? undefined
      : `${fields.join(', ')} provide all or none of parameters`;
  };
}
