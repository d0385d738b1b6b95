import { params, wire } from '#libs/http';

/** Key and value are parts of an index: what is longer belongs elsewhere. */
export const MAX_ATTRIBUTE_LENGTH = 255;
const MOST_KEYS = 10;

/** `custom_attributes[key]=value`, in the lists of what can carry them. */
export const AttributeFilterParam = wire.hashOf(wire.text(), { max: MOST_KEYS });

const KEY = { key: wire.text() };

export const OwnerPath = params({});
export const UserPath = params({ id: wire.text() });
export const AttributePath = params(KEY);
export const UserAttributePath = UserPath.extend(KEY);

const VALUE = { value: wire.text() };

export const SetAttribute = AttributePath.extend(VALUE);
export const SetUserAttribute = UserAttributePath.extend(VALUE);
