import type { ErrorKind, ValidationErrors } from '#libs/errors';
import type { ErrorAnswer } from './error-body';

export const SCIM_TYPE = 'application/scim+json';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** An error as RFC 7644, 3.12, words it. The API's answer to the same error tells the status. */
export function scimAnswer(answer: ErrorAnswer, error: ErrorKind | null): ErrorAnswer {
  const { status, headers = {}, body = {} } = answer;
  const scimType = error && scimTypeOf(error);
  const text = error ? detailOf(error) : null;
  return {
    status,
    headers: { ...headers, ...(status === 401 && { 'WWW-Authenticate': 'Bearer realm="SCIM"' }) },
    body: {
      schemas: [ERROR_SCHEMA],
      ...(scimType && { scimType }),
      detail: text ?? sentenceOf(answer, body),
      status: String(status),
    },
  };
}

function scimTypeOf(error: ErrorKind): string | null {
  switch (error.kind) {
    case 'scim':
      return error.scimType;
    case 'missing':
    case 'invalid_parameter':
    case 'validation':
      return 'invalidValue';
    case 'bad_request':
      return 'invalidSyntax';
    case 'conflict':
      return 'uniqueness';
    default:
      return null;
  }
}

function detailOf(error: ErrorKind): string | null {
  if (error.kind === 'missing') return `Missing params: ["${error.attribute}"]`;
  return error.kind === 'validation' ? sentencesOf(error.errors) : null;
}

const sentencesOf = (errors: ValidationErrors): string =>
  Object.entries(errors)
    .flatMap(([name, problems]) =>
      Array.isArray(problems) ? problems.map((problem) => `${name} ${problem}`) : [sentencesOf(problems)],
    )
    .join(', ');

function sentenceOf({ status, headers = {} }: ErrorAnswer, body: object): string {
  const allowed = headers['Allow'];
  if (status === 405 && allowed !== undefined) return `405 Not Allowed: this resource has ${allowed}`;
  const texts = Object.values(body).filter((value) => typeof value === 'string');
  return texts[0] ?? String(status);
}
