import { invalid, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { given } from '../../identity/identity.api';
import type { CreateEpic } from './epic.params';
import type { EpicColumns } from './epics.repository';

const LONGEST_TITLE = 255;
const LONGEST_DESCRIPTION = 1_048_576;

type NewEpicParams = ParamsOf<typeof CreateEpic>;
/** Of a new one, or of a change. */
type EpicParams = { readonly [Name in keyof NewEpicParams]?: NewEpicParams[Name] | undefined };

/** The columns that are given. Throws `validation` for what no epic may have. */
export function epicColumns(params: EpicParams): EpicColumns {
  const { title, description } = params;
  refuseInvalid(title, description);
  return given({
    title: title?.trim(),
    description,
    startDateIsFixed: params.start_date_is_fixed,
    startDateFixed: params.start_date_fixed === undefined ? params.start_date : params.start_date_fixed,
    dueDateIsFixed: params.due_date_is_fixed,
    dueDateFixed: params.due_date_fixed === undefined ? params.end_date : params.due_date_fixed,
  });
}

function refuseInvalid(title: string | undefined, description: string | null | undefined): void {
  const errors: ValidationErrors = {};
  if (title?.trim() === '') errors['title'] = ["can't be blank"];
  else if (title && Array.from(title).length > LONGEST_TITLE) errors['title'] = [tooLong(LONGEST_TITLE)];
  if (description && description.length > LONGEST_DESCRIPTION)
    errors['description'] = [tooLong(LONGEST_DESCRIPTION)];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const tooLong = (most: number): string => `is too long (maximum is ${most} characters)`;
