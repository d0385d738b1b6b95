import { ConfigurationError } from './configuration-error';
import { isHash, isList, type YamlValue } from './yaml-document';

/** Values and keys, those that several entries share counted in each. */
const MOST_VALUES = 200_000;
/** Of all texts. */
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A short file may repeat itself by aliases and `extends` without end. Throws ConfigurationError. */
export function requireModestSize(values: Iterable<YamlValue>): void {
  let [count, characters] = [0, 0];
  const weigh = (value: YamlValue): void => {
    count += 1;
    if (typeof value === 'string') characters += value.length;
    if (count > MOST_VALUES || characters > MOST_CHARACTERS)
      throw new ConfigurationError('The parsed YAML is too big');
    if (isList(value)) value.forEach(weigh);
    if (isHash(value))
      value.forEach((inner, key) => {
        weigh(key);
        weigh(inner);
      });
  };
  for (const value of values) weigh(value);
}
