import { params, wire } from '#libs/http';

export const CreateUpload = params({ file: wire.file() });
