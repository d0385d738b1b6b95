import { defineEvent } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { HookEvent, type HookCall, type InProject } from './hook-event';
import { HookEvents } from './hook-events';

/** What a later context has to do to have hooks called. */
@Injectable()
class IssueHookEvent extends HookEvent {
  readonly type = defineEvent<InProject>()('test.issue_changed');
  readonly kinds = ['issue', 'confidential_issue'] as const;

  calls(): readonly HookCall[] {
    return [{ kind: 'issue', branch: null, body: () => Promise.resolve({ object_kind: 'issue' }) }];
  }

  sample(): Promise<HookCall | null> {
    return Promise.resolve(null);
  }
}

@Injectable()
class SomethingElse {}

it('finds whatever any module provides, once', async () => {
  const providers = [
    HookEvents,
    IssueHookEvent,
    SomethingElse,
    { provide: 'again', useExisting: IssueHookEvent },
  ];
  const module = await Test.createTestingModule({ imports: [DiscoveryModule], providers }).compile();
  await module.init();
  const { all } = module.get(HookEvents);
  expect(all).toHaveLength(1);
  expect(all[0]).toBe(module.get(IssueHookEvent));
  await module.close();
});
