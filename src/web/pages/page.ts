import {
  applyDecorators,
  createParamDecorator,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { PageAnswer } from './page-answer';
import { PageErrorFilter } from './page-error.filter';
import { PageGuard } from './page.guard';
import { PageInterceptor } from './page.interceptor';
import type { PersonalVisit, Visit } from './visit';
import { PAGE, type PageDefinition } from './page-definition';
import { visitOf } from './visits';

type Row = `${'GET' | 'POST'} /${string}`;
type Handler<V> = (visit: V) => PageAnswer | Promise<PageAnswer>;
type PageDecorator<V> = <H extends Handler<V>>(
  target: object,
  name: string | symbol,
  method: TypedPropertyDescriptor<H>,
) => void;

/** A page for everybody: `@PublicPage('GET /users/sign_in')`. Forms (POST) are checked before the handler runs. */
export const PublicPage = (row: Row): PageDecorator<Visit> => page(row, { access: 'anyone' });

/**
 * A page for those who are signed in; others go to the sign-in page, and from there come back to a GET.
 * Those who must change their password go there first, unless `withExpiredPassword`.
 */
export const PersonalPage = (row: Row, { withExpiredPassword = false } = {}): PageDecorator<PersonalVisit> =>
  page(row, { access: 'signed-in', withExpiredPassword });

const VisitParameter = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  visitOf(context.switchToHttp().getRequest<Request>()),
);

function page<V>(row: Row, definition: PageDefinition): PageDecorator<V> {
  const [method, path = ''] = row.split(' ');
  return (target, name, descriptor) => {
    VisitParameter()(target, name, 0);
    applyDecorators(
      RequestMapping({ method: method === 'GET' ? RequestMethod.GET : RequestMethod.POST, path }),
      SetMetadata(PAGE, definition),
      UseGuards(PageGuard),
      UseInterceptors(PageInterceptor),
      UseFilters(PageErrorFilter),
    )(target, name, descriptor);
  };
}
