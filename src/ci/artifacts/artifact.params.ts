import { params, wire } from '#libs/http';

const LONGEST_TOKEN = 255;
const MOST_SEGMENTS = 1_000;

export const JobArtifactsPath = params({ job_id: wire.integer() });
export const JobArtifactPath = JobArtifactsPath.extend({
  artifact_path: wire.list(wire.text(), { max: MOST_SEGMENTS }),
});
export const RefArtifacts = params({ ref_name: wire.text(), job: wire.text({ blank: false }) });
export const RefArtifactPath = RefArtifacts.extend({
  artifact_path: wire.list(wire.text(), { max: MOST_SEGMENTS }),
});

const held = { job_id: wire.integer(), token: wire.text({ max: LONGEST_TOKEN }).optional() };

export const AuthorizeArtifacts = params({ ...held, filesize: wire.integer({ min: 0 }).optional() });
export const UploadArtifacts = params({
  ...held,
  file: wire.file(),
  artifact_type: wire.text().default('archive'),
  artifact_format: wire.text().default('zip'),
  expire_in: wire.text().optional(),
});
export const DownloadArtifacts = params({ ...held, direct_download: wire.boolean().default(false) });
