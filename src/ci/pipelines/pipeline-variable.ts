import { invalid } from '#libs/errors';

export const VARIABLE_TYPES = ['env_var', 'file'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

/** A variable that whoever started a pipeline gave to it. */
export interface PipelineVariable {
  readonly key: string;
  readonly value: string;
  readonly variableType: VariableType;
}

const LONGEST_KEY = 255;

/** Throws `validation` in the reference's words. */
export function requireValidVariables(variables: readonly PipelineVariable[]): void {
  const keys = variables.map(({ key }) => key);
  if (keys.some((key) => key.trim() === '')) throw invalid({ 'variables.key': ["can't be blank"] });
  if (keys.some((key) => key.length > LONGEST_KEY))
    throw invalid({ 'variables.key': [`is too long (maximum is ${LONGEST_KEY} characters)`] });
  if (!keys.every((key) => /^[a-zA-Z0-9_]+$/.test(key)))
    throw invalid({ 'variables.key': ["can contain only letters, digits and '_'."] });
  const twice = new Set(keys.filter((key, place) => keys.indexOf(key) !== place));
  if (twice.size > 0) throw invalid({ variables: [`have duplicate values (${[...twice].join(', ')})`] });
}
