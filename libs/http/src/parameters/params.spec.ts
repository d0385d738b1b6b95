import { DomainError } from '#libs/errors';
import { allOrNone, atLeastOneOf, exactlyOneOf, mutuallyExclusive } from './cross-field-rules';
import { params, type ParamsOf, type ParamsSchema, parseParams } from './params';
import { parseRack } from './rack-parameters';
import type { ParameterBag } from './values';
import { wire } from './wire';

const CommitAction = params({
  action: wire.oneOf(['create', 'update', 'delete', 'move', 'chmod']),
  file_path: wire.text({ blank: false }),
  content: wire.text().optional(),
  encoding: wire.oneOf(['text', 'base64']).default('text'),
});
const CreateCommit = params(
  {
    branch: wire.text({ blank: false }),
    commit_message: wire.text(),
    start_branch: wire.text().optional(),
    start_sha: wire.text().optional(),
    stats: wire.boolean().default(true),
    actions: wire.list(CommitAction, { min: 1, max: 20_000 }),
  },
  mutuallyExclusive('start_branch', 'start_sha'),
);
type CreateCommit = ParamsOf<typeof CreateCommit>;

function refusalOf(schema: ParamsSchema, bag: ParameterBag): unknown {
  try {
    return parseParams(schema, bag);
  } catch (error) {
    if (error instanceof DomainError) return error.detail;
    throw error;
  }
}

const missing = (attribute: string) => ({ kind: 'missing', attribute });
const refused = (text: string) => ({ kind: 'invalid_parameter', text });

describe('the parameters of an endpoint', () => {
  const action = { action: 'create', file_path: 'a' };
  const good = { branch: 'master', commit_message: 'm', actions: [action] };

  it('are converted; unknown ones are dropped at every depth', () => {
    const bag = { ...good, admin: true, actions: [{ ...action, x: 1 }] };
    const expected: CreateCommit = {
      branch: 'master',
      commit_message: 'm',
      stats: true,
      actions: [{ ...action, action: 'create', encoding: 'text' }],
    };
    expect(parseParams(CreateCommit, bag)).toEqual(expected);
  });

  it('leave out what is not given', () => {
    expect(Object.keys(parseParams(CreateCommit, good))).toEqual([
      'branch',
      'commit_message',
      'stats',
      'actions',
    ]);
  });

  it('come alike from a form', () => {
    const form = 'branch=master&commit_message=m&stats=0&actions[][action]=create&actions[][file_path]=a';
    expect(parseParams(CreateCommit, parseRack(form))).toMatchObject({ stats: false, actions: [action] });
  });

  it('are refused for the first that is missing, before anything that is wrong', () => {
    expect(refusalOf(CreateCommit, { stats: 'maybe' })).toEqual(missing('branch'));
    expect(refusalOf(CreateCommit, { ...good, stats: 'maybe', actions: [action, { action: 'x' }] })).toEqual(
      missing('actions[1][file_path]'),
    );
  });

  it('are refused for all that is wrong', () => {
    expect(
      refusalOf(CreateCommit, {
        ...good,
        branch: ' ',
        stats: 'maybe',
        actions: [{ ...action, action: 'x' }],
      }),
    ).toEqual(refused('branch is empty, stats is invalid, actions[0][action] does not have a valid value'));
  });

  it('are refused in few words, however much is wrong', () => {
    const actions = Array.from({ length: 5000 }, () => ({ ...action, action: 'x' }));
    const detail = refusalOf(CreateCommit, { ...good, actions });
    expect(detail).toMatchObject({ kind: 'invalid_parameter' });
    expect(JSON.stringify(detail).length).toBeLessThan(2000);
  });

  it('may be 10,000 actions', () => {
    const actions = Array.from({ length: 10_000 }, (_, index) => ({ ...action, file_path: `dir/${index}` }));
    expect(parseParams(CreateCommit, { ...good, actions }).actions.at(-1)?.file_path).toBe('dir/9999');
  });

  it('are not taken from a prototype', () => {
    const inherits: ParameterBag = Object.create({ branch: 'master' });
    expect(refusalOf(params({ branch: wire.text() }), inherits)).toEqual(refused('body is invalid'));
    expect(refusalOf(params({ constructor: wire.text().optional() }), {})).toEqual({});
  });

  it('extend others, with their rules', () => {
    const More = CreateCommit.extend(
      { branch: wire.text().optional(), force: wire.boolean() },
      atLeastOneOf('branch'),
    );
    const bag: ParameterBag = { ...good, force: '1' };
    const got: ParamsOf<typeof More> = parseParams(More, bag);
    expect(got).toMatchObject({ branch: 'master', force: true });
    expect(refusalOf(More, { ...bag, start_branch: 'a', start_sha: 'b' })).toEqual(
      refused('start_branch, start_sha are mutually exclusive'),
    );
    const Merged = params({ id: wire.idOrPath() }).extend(
      params({ a: wire.text().optional() }, atLeastOneOf('a')),
    );
    expect(parseParams(Merged, { id: '1', a: 'b' })).toEqual({ id: 1, a: 'b' });
    expect(refusalOf(Merged, { id: '1' })).toEqual(
      refused('a are missing, at least one parameter must be provided'),
    );
  });
});

describe('rules between fields', () => {
  const shape = {
    a: wire.text().optional(),
    b: wire.integer().nullable().optional(),
    c: wire.text().optional(),
  };

  it.each([
    [mutuallyExclusive('a', 'b', 'c'), { a: '1', c: '1' }, 'a, c are mutually exclusive'],
    [atLeastOneOf('a', 'b'), { c: '1' }, 'a, b are missing, at least one parameter must be provided'],
    [exactlyOneOf('a', 'b'), {}, 'a, b are missing, exactly one parameter must be provided'],
    [exactlyOneOf('a', 'b'), { a: '1', b: 2 }, 'a, b are mutually exclusive'],
    [allOrNone('a', 'b'), { a: '1' }, 'a, b provide all or none of parameters'],
  ])('refuse what breaks them', (rule, bag, sentence) =>
    expect(refusalOf(params(shape, rule), bag)).toEqual(refused(sentence)),
  );

  it.each([
    [mutuallyExclusive('a', 'b'), { a: '1' }],
    [atLeastOneOf('a', 'b'), { b: null }],
    [exactlyOneOf('a', 'b'), { b: 1 }],
    [allOrNone('a', 'b'), {}],
    [allOrNone('a', 'b'), { a: '1', b: 1 }],
  ])('let pass what keeps them', (rule, bag) => expect(refusalOf(params(shape, rule), bag)).toEqual(bag));
});
