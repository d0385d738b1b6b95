import { DatabaseModule } from '#libs/database';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { defineQueue, JobHandler, JobsModule, type JobRun } from '../index';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The queue of the test: its jobs never end in this process, and every attempt is told. */
@Injectable()
class Endless extends JobHandler<{ name: string }> {
  readonly queue = defineQueue<{ name: string }>('test.endless', {
    expireInSeconds: 1,
    retryDelaySeconds: 0,
  });

  run({ name }: { name: string }, { attempt }: JobRun): Promise<void> {
    say(`working on ${name}, attempt ${attempt}`);
    return new Promise(() => undefined);
  }
}

const [url = ''] = process.argv.slice(2);

@Module({
  imports: [
    DatabaseModule.forRoot({ url, poolSize: 2, lockPoolSize: 1 }),
    JobsModule.forRoot({ url, pollMs: 20, recoverySeconds: 1 }),
  ],
  providers: [Endless],
})
class Node {}

void NestFactory.createApplicationContext(Node, { logger: ['error'] }).then(() => say('ready'));
