import { isEmojiName } from '#libs/emoji';
import { invalid, notFound, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Users } from '../users/users.service';
import type { ShownStatus, UserStatus } from './user-status';
import type { SetStatus } from './user-status.params';
import { UserStatusesRepository } from './user-statuses.repository';

const DEFAULT_EMOJI = 'speech_balloon';
const MAX_MESSAGE_LENGTH = 100;

@Injectable()
export class UserStatuses {
  constructor(
    private readonly statuses: UserStatusesRepository,
    private readonly users: Users,
  ) {}

  async of({ id }: { readonly id: number }): Promise<ShownStatus> {
    return { status: await this.statuses.find(id) };
  }

  /** Of somebody named in a path. Throws "404 User Not Found". */
  async ofNamed(idOrUsername: string): Promise<ShownStatus> {
    const user = await this.users.find(/^\d{1,15}$/.test(idOrUsername) ? Number(idOrUsername) : idOrUsername);
    if (!user) throw notFound('User');
    return this.of(user);
  }

  /** Replaces the whole status; without emoji and message there is none any more. Throws `validation`. */
  async set({ id }: { readonly id: number }, params: ParamsOf<typeof SetStatus>): Promise<ShownStatus> {
    const status = statusOf(params);
    if (status) await this.statuses.save(id, status);
    else await this.statuses.remove(id);
    return { status };
  }
}

function statusOf(params: ParamsOf<typeof SetStatus>): UserStatus | null {
  const emoji = given(params.emoji);
  const message = given(params.message);
  if (emoji === '' && message === '') return null;
  const errors: ValidationErrors = {};
  if (emoji !== '' && !isEmojiName(emoji)) errors['emoji'] = ['is not included in the list'];
  if (Array.from(message).length > MAX_MESSAGE_LENGTH) {
    errors['message'] = [`is too long (maximum is ${MAX_MESSAGE_LENGTH} characters)`];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { emoji: emoji || DEFAULT_EMOJI, message: message || null };
}

/** White space alone says nothing. */
const given = (text: string | null | undefined): string => (text?.trim() ? text : '');
