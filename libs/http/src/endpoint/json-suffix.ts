import type { ParameterBag } from '../parameters/values';
import type { EndpointDefinition } from './endpoint';

const SUFFIX = /\.json$/;
const lastParameter = ({ path }: EndpointDefinition): string | undefined => /\/:([a-z_]+)$/.exec(path)?.[1];

/** What the last parameter of a path must look like for `.json` behind it to be no part of its value. */
const UNMISTAKABLE: Readonly<Record<string, RegExp>> = {
  id: /^\d+\.json$/,
  sha: /^[0-9a-f]{7,40}\.json$/i,
};

/** The parameters without a `.json` suffix of the path (behaviour.md 0.5), where nothing's name can end like that. */
export function withoutSuffix(definition: EndpointDefinition, bag: ParameterBag): ParameterBag {
  const name = lastParameter(definition);
  const value = name === undefined ? undefined : bag[name];
  if (name === undefined || typeof value !== 'string' || !UNMISTAKABLE[name]?.test(value)) return bag;
  return { ...bag, [name]: value.replace(SUFFIX, '') };
}

/**
 * What a project's or group's full path is without the suffix; null where there is none. Names may end in `.json`
 * too, so this is for when nothing has the path as it was sent.
 */
export function pathWithoutSuffix(definition: EndpointDefinition, id: unknown): string | null {
  if (lastParameter(definition) !== 'id' || typeof id !== 'string' || !SUFFIX.test(id)) return null;
  return id.replace(SUFFIX, '');
}
