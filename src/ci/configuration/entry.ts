import { ConfigurationError } from './configuration-error';
import { parseDuration } from './durations';
import { isHash, isList, YamlFloat, type YamlHash, type YamlValue } from './yaml-document';

/** Texts of a list, null for anything else. */
export function textsOf(value: YamlValue | undefined): readonly string[] | null {
  return isList(value) && value.every((item) => typeof item === 'string') ? value : null;
}

/** Stops with the reference's sentence: where it is, what is wrong. */
export function refuse(location: string, problem: string): never {
  throw new ConfigurationError(`${location} ${problem}`);
}

const TOO_LONG = 'should not exceed the limit';
/** How an attribute is called in sentences. */
const spoken = (key: string): string => key.replaceAll('_', ' ');

/**
 * A hash of a configuration and where it stands ("jobs:rspec"). Reading a key of it checks it: what is left out is
 * undefined, what is wrong throws ConfigurationError.
 */
export class Entry {
  constructor(
    readonly location: string,
    readonly hash: YamlHash,
  ) {}

  /** Throws where there is something else than a hash. */
  static of(location: string, value: YamlValue, problem = 'config should be a hash'): Entry {
    if (!isHash(value)) refuse(location, problem);
    return new Entry(location, value);
  }

  /** A key without a value is as good as none. */
  get(key: string): YamlValue | undefined {
    return this.hash.get(key) ?? undefined;
  }

  has(key: string): boolean {
    return this.hash.has(key);
  }

  /** Where a key's own entry stands. */
  at(key: string): string {
    return `${this.location}:${key}`;
  }

  allowOnly(keys: readonly string[]): void {
    const unknown = [...this.hash.keys()].filter((key) => !keys.includes(key));
    if (unknown.length > 0) refuse(this.location, `config contains unknown keys: ${unknown.join(', ')}`);
  }

  /** About an attribute, which the sentence names. */
  refuse(key: string, problem: string): never {
    return refuse(this.location, `${spoken(key)} ${problem}`);
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    if (value === undefined || typeof value === 'string') return value;
    return this.refuse(key, 'should be a string');
  }

  boolean(key: string): boolean | undefined {
    const value = this.get(key);
    if (value === undefined || typeof value === 'boolean') return value;
    return this.refuse(key, 'should be a boolean value');
  }

  texts(key: string): readonly string[] | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    return textsOf(value) ?? this.refuse(key, 'should be an array of strings');
  }

  textOrTexts(key: string): readonly string[] | undefined {
    const value = this.get(key);
    if (typeof value === 'string') return [value];
    if (value === undefined) return undefined;
    return textsOf(value) ?? this.refuse(key, 'should be an array of strings or a string');
  }

  oneOf<const T extends string>(key: string, words: readonly T[], problem: string): T | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    return words.find((word) => word === value) ?? this.refuse(key, problem);
  }

  /** As written. */
  durationText(key: string): string | undefined {
    return this.duration(key) === undefined ? undefined : this.text(key);
  }

  /** Seconds. A number without quotes is none, nor is a time in which nothing happens. */
  duration(key: string, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    const seconds = typeof value === 'string' ? parseDuration(value) : null;
    if (seconds === null) return this.refuse(key, 'should be a duration');
    return seconds > most ? this.refuse(key, TOO_LONG) : seconds;
  }

  /** A whole number, in quotes or not. */
  wholeNumber(key: string, least: number, most: number): number | undefined {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (value instanceof YamlFloat) return this.refuse(key, 'must be an integer');
    const number = typeof value === 'string' && /^[+-]?\d{1,9}$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number') return this.refuse(key, 'is not a number');
    if (number < least) return this.refuse(key, `must be greater than or equal to ${least}`);
    return number > most ? this.refuse(key, `must be less than or equal to ${most}`) : number;
  }
}
