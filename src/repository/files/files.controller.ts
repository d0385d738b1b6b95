import { base64Json, Endpoint, RawAnswer, type ProjectCall } from '#libs/http';
import { Controller, UseGuards } from '@nestjs/common';
import { BranchEntryGuard } from '../changes/branch-entry.guard';
import { blameHeaders, presentBlame } from './blame.presenter';
import { CreateFile, DeleteFile, ReadFile, UpdateFile } from './file.params';
import {
  fileFields,
  fileHeaders,
  fileRecordHeaders,
  presentFile,
  presentFileChange,
  rawFileHeaders,
} from './file.presenter';
import { FilesService } from './files.service';

const READ = { access: 'project:download_code', params: ReadFile, scopes: ['read_repository'] } as const;
/** With BranchEntryGuard: either they push to the project, or the branch is lent to them. */
const WRITE = { access: 'project:commit_somewhere', loginFirst: false } as const;

/** Specification, Repository files. HEAD rows stand before GET rows, which would answer them too. */
@Controller()
export class FilesController {
  constructor(private readonly files: FilesService) {}

  @Endpoint('HEAD /projects/:id/repository/files/:file_path', READ)
  async head({ subject: project, params }: ProjectCall<typeof ReadFile>) {
    return new RawAnswer(null, fileRecordHeaders(await this.files.metadata(project, params)));
  }

  @Endpoint('GET /projects/:id/repository/files/:file_path', {
    ...READ,
    presents: presentFile,
    headers: fileRecordHeaders,
  })
  async get(call: ProjectCall<typeof ReadFile>) {
    const file = await this.files.withContent(call.subject, call.params, () => call.signal);
    if ('content' in file) return file;
    return base64Json(fileFields(file, ''), { field: 'content', ...file }, fileRecordHeaders(file));
  }

  @Endpoint('HEAD /projects/:id/repository/files/:file_path/blame', READ)
  async headBlame({ subject: project, params }: ProjectCall<typeof ReadFile>) {
    return new RawAnswer(null, fileHeaders(await this.files.metadata(project, params)));
  }

  @Endpoint('GET /projects/:id/repository/files/:file_path/blame', {
    ...READ,
    presents: presentBlame,
    headers: blameHeaders,
  })
  blame({ subject: project, params, signal }: ProjectCall<typeof ReadFile>) {
    return this.files.blame(project, params, signal);
  }

  @Endpoint('HEAD /projects/:id/repository/files/:file_path/raw', READ)
  async headRaw(call: ProjectCall<typeof ReadFile>) {
    const file = await this.files.raw(call.subject, call.params, () => call.signal);
    return new RawAnswer(file.bytes, rawFileHeaders(file));
  }

  @Endpoint('GET /projects/:id/repository/files/:file_path/raw', READ)
  async raw(call: ProjectCall<typeof ReadFile>) {
    const file = await this.files.raw(call.subject, call.params, () => call.signal);
    return new RawAnswer(file.bytes, rawFileHeaders(file));
  }

  @UseGuards(BranchEntryGuard)
  @Endpoint('POST /projects/:id/repository/files/:file_path', {
    ...WRITE,
    params: CreateFile,
    presents: presentFileChange,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateFile>) {
    return this.files.create(actor, project, params);
  }

  @UseGuards(BranchEntryGuard)
  @Endpoint('PUT /projects/:id/repository/files/:file_path', {
    ...WRITE,
    params: UpdateFile,
    presents: presentFileChange,
  })
  update({ actor, subject: project, params }: ProjectCall<typeof UpdateFile>) {
    return this.files.update(actor, project, params);
  }

  @UseGuards(BranchEntryGuard)
  @Endpoint('DELETE /projects/:id/repository/files/:file_path', {
    ...WRITE,
    params: DeleteFile,
    presents: presentFileChange,
  })
  delete({ actor, subject: project, params }: ProjectCall<typeof DeleteFile>) {
    return this.files.delete(actor, project, params);
  }
}
