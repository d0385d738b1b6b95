import { Accounts } from '../identity/identity.api';
import type { Command } from './command';

export const createUser: Command = {
  name: 'create-user',
  summary: 'Opens an account.',
  options: {
    username: { meaning: 'name in paths and addresses' },
    email: { meaning: 'e-mail address' },
    name: { meaning: 'full name; the username when empty', default: '' },
    password: { meaning: 'none when empty; others on this machine may see it typed', default: '' },
    admin: { meaning: 'yes or no', default: 'no' },
  },
  async run(application, input) {
    const password = input.option('password');
    const user = await application.get(Accounts).open({
      username: input.option('username'),
      name: input.option('name') || input.option('username'),
      email: input.option('email'),
      password: password === '' ? null : password,
      isAdmin: input.option('admin') === 'yes',
      isConfirmed: true,
    });
    return `User ${user.username} has id ${user.id}.`;
  },
};
