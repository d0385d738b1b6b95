import { Entry, refuse, textsOf } from './entry';
import type { ImageDefinition, ServiceDefinition, VariableDefinition } from './job-definition';
import { isHash, isList, type YamlValue } from './yaml-document';

/** The commands of a job, of which there must be some. */
export function readScript(location: string, value: YamlValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return textsOf(value) ?? refuse(location, 'config should be an array of strings or a string');
}

/** Commands around a job's own. */
export const readCommands = (location: string, value: YamlValue): readonly string[] =>
  textsOf(value) ?? refuse(location, 'config should be an array of strings');

/** Numbers are written out; others than whole ones have no one way to be. */
export function readVariables(location: string, value: YamlValue): readonly VariableDefinition[] {
  const problem = 'config should be a hash of key value pairs';
  if (!isHash(value)) refuse(location, problem);
  return [...value].map(([key, text]) => {
    if (typeof text !== 'string' && typeof text !== 'number') refuse(location, problem);
    return { key, value: String(text) };
  });
}

export function readImage(location: string, value: YamlValue): ImageDefinition {
  if (typeof value === 'string') return nameOf(location, value);
  const entry = Entry.of(location, value, 'config should be a hash or a string');
  entry.allowOnly(['name', 'entrypoint']);
  const entrypoint = entry.texts('entrypoint');
  return { ...nameOf(location, entry.text('name')), ...(entrypoint && { entrypoint }) };
}

export function readServices(location: string, value: YamlValue): readonly ServiceDefinition[] {
  if (!isList(value)) refuse(location, 'config should be a array');
  return value.map((item) => readService(`${location}:service`, item));
}

function readService(location: string, value: YamlValue): ServiceDefinition {
  if (typeof value === 'string') return nameOf(location, value);
  const entry = Entry.of(location, value, 'config should be a hash or a string');
  entry.allowOnly(['name', 'entrypoint', 'command', 'alias']);
  const [entrypoint, command, alias] = [
    entry.texts('entrypoint'),
    entry.texts('command'),
    entry.text('alias'),
  ];
  return {
    ...nameOf(location, entry.text('name')),
    ...(entrypoint && { entrypoint }),
    ...(command && { command }),
    ...(alias !== undefined && { alias }),
  };
}

function nameOf(location: string, name: string | undefined): { readonly name: string } {
  if (name === undefined || name.trim() === '') refuse(location, "name can't be blank");
  return { name };
}
