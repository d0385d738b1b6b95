import { Controller } from '@nestjs/common';
import { PersonalPage } from '../pages/page';
import { type PageAnswer, show } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import { template } from '../rendering/html';

const content = template<{ visit: PersonalVisit; name: string; username: string }>(`
<h1>Welcome, <%= it.name %></h1>
<p>You are signed in as <strong><%= it.username %></strong>. The service is used through git and its API; these pages let you in.</p>
<ul>
<li><a href="<%= it.visit.to('/-/profile/personal_access_tokens') %>">Personal access tokens</a> for the API and for git over HTTP</li>
<li><a href="<%= it.visit.to('/-/profile/applications') %>">Applications</a> that act for you, and your own</li>
<li><a href="<%= it.visit.to('/-/profile/password/edit') %>">Change your password</a></li>
<li><a href="<%= it.visit.to('/-/api') %>">API reference</a></li>
</ul>
`);

@Controller()
export class HomeController {
  @PersonalPage('GET /')
  home(visit: PersonalVisit): PageAnswer {
    const { name, username } = visitor(visit);
    return show('Home', content({ visit, name, username }));
  }
}
