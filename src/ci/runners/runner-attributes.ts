import { invalid, type ValidationErrors } from '#libs/errors';
import type { Runner, RunnerAccess } from './runner.entity';

/** What people and runners say of how a runner is to be used; what is left out stays as it is. */
export interface GivenAttributes {
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
  readonly paused?: boolean | undefined;
  readonly locked?: boolean | undefined;
  readonly run_untagged?: boolean | undefined;
  readonly tag_list?: readonly string[] | undefined;
  readonly access_level?: RunnerAccess | '' | undefined;
  readonly maximum_timeout?: number | null | undefined;
}

export type RunnerAttributes = Pick<
  Runner,
  'description' | 'active' | 'locked' | 'runUntagged' | 'tagList' | 'accessLevel' | 'maximumTimeout'
>;

export const DEFAULT_ATTRIBUTES: RunnerAttributes = {
  description: '',
  active: true,
  locked: false,
  runUntagged: true,
  tagList: [],
  accessLevel: 'not_protected',
  maximumTimeout: null,
};

const SHORTEST_TIMEOUT = 600;
const LONGEST_TAG = 255;

/** The attributes with what is given; throws `validation` where they make no sense together. */
export function attributesWith(known: RunnerAttributes, given: GivenAttributes): RunnerAttributes {
  const attributes = {
    description: given.description ?? known.description,
    active: given.active ?? (given.paused === undefined ? known.active : !given.paused),
    locked: given.locked ?? known.locked,
    runUntagged: given.run_untagged ?? known.runUntagged,
    tagList: given.tag_list ? [...new Set(given.tag_list)] : known.tagList,
    accessLevel: given.access_level || known.accessLevel,
    // Runners that were told no limit send 0.
    maximumTimeout:
      given.maximum_timeout === undefined ? known.maximumTimeout : given.maximum_timeout || null,
  };
  refuseNonsense(attributes);
  return attributes;
}

function refuseNonsense({ runUntagged, tagList, maximumTimeout }: RunnerAttributes): void {
  const errors: ValidationErrors = {};
  if (!runUntagged && tagList.length === 0)
    errors['tags_list'] = ['can not be empty when runner is not allowed to pick untagged jobs'];
  if (tagList.some((tag) => tag.length > LONGEST_TAG))
    errors['tags_list'] = [`is too long (maximum is ${LONGEST_TAG} characters)`];
  if (maximumTimeout !== null && maximumTimeout < SHORTEST_TIMEOUT)
    errors['maximum_timeout'] = ['needs to be at least 10 minutes'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
