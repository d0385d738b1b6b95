import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { PageAnswer } from './page-answer';
import { PageWriter } from './page-writer';
import { visitOf } from './visits';

/** Turns what a page's handler returned into what the browser gets. */
@Injectable()
export class PageInterceptor implements NestInterceptor<PageAnswer, string> {
  constructor(private readonly writer: PageWriter) {}

  intercept(context: ExecutionContext, next: CallHandler<PageAnswer>): Observable<string> {
    const http = context.switchToHttp();
    const visit = visitOf(http.getRequest<Request>());
    return next
      .handle()
      .pipe(map((answer) => this.writer.write(http.getResponse<Response>(), visit, answer)));
  }
}
