import { Endpoint, RawAnswer, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { originOf, presentRequestOrigin } from '../../planning/planning.api';
import { PersonalSnippets } from './personal-snippets.service';
import {
  CreatePersonalSnippet,
  ListPersonalSnippets,
  PersonalSnippetPath,
  UpdatePersonalSnippet,
} from './snippet.params';
import { presentSnippet, rawSnippetHeaders } from './snippet.presenter';

/** The reference shows even public ones to whoever is signed in alone. */
const SIGNED_IN = { access: 'user', loginFirst: true } as const;

@Controller()
export class PersonalSnippetsController {
  constructor(private readonly snippets: PersonalSnippets) {}

  @Endpoint('GET /snippets', {
    ...SIGNED_IN,
    params: ListPersonalSnippets,
    presents: presentSnippet,
    paginated: true,
  })
  own({ actor, page }: CallOf<typeof ListPersonalSnippets>) {
    return this.snippets.own(actor, page);
  }

  /** Stands before the row that takes an id, which would answer it too. */
  @Endpoint('GET /snippets/public', {
    ...SIGNED_IN,
    params: ListPersonalSnippets,
    presents: presentSnippet,
    paginated: true,
  })
  public({ page }: CallOf<typeof ListPersonalSnippets>) {
    return this.snippets.public(page);
  }

  @Endpoint('GET /snippets/:id', { ...SIGNED_IN, params: PersonalSnippetPath, presents: presentSnippet })
  show({ actor, params }: CallOf<typeof PersonalSnippetPath>) {
    return this.snippets.show(actor, params.id);
  }

  @Endpoint('GET /snippets/:id/raw', { ...SIGNED_IN, params: PersonalSnippetPath })
  async raw({ actor, params }: CallOf<typeof PersonalSnippetPath>) {
    const { snippet, bytes } = await this.snippets.raw(actor, params.id);
    return new RawAnswer(bytes, rawSnippetHeaders(snippet, bytes.length));
  }

  @Endpoint('POST /snippets', { ...SIGNED_IN, params: CreatePersonalSnippet, presents: presentSnippet })
  create(call: CallOf<typeof CreatePersonalSnippet>) {
    return this.snippets.create(call.actor, call.params, originOf(call));
  }

  @Endpoint('GET /snippets/:id/user_agent_detail', {
    access: 'admin',
    loginFirst: true,
    params: PersonalSnippetPath,
    presents: presentRequestOrigin,
  })
  origin({ actor, params }: CallOf<typeof PersonalSnippetPath>) {
    return this.snippets.origin(actor, params.id);
  }

  @Endpoint('PUT /snippets/:id', { ...SIGNED_IN, params: UpdatePersonalSnippet, presents: presentSnippet })
  update({ actor, params }: CallOf<typeof UpdatePersonalSnippet>) {
    return this.snippets.update(actor, params);
  }

  @Endpoint('DELETE /snippets/:id', { ...SIGNED_IN, params: PersonalSnippetPath })
  remove({ actor, params, unmodifiedSince }: CallOf<typeof PersonalSnippetPath>) {
    return this.snippets.remove(actor, params.id, unmodifiedSince);
  }
}
