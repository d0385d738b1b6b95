/** What a runner may upload, in which format, and under which name by default; as the reference has it. */
export const ARTIFACT_TYPES = {
  archive: { format: 'zip', fileName: 'artifacts.zip' },
  metadata: { format: 'gzip', fileName: 'metadata.gz' },
  junit: { format: 'gzip', fileName: 'junit.xml' },
  codequality: { format: 'raw', fileName: 'gl-code-quality-report.json' },
  sast: { format: 'raw', fileName: 'gl-sast-report.json' },
  dependency_scanning: { format: 'raw', fileName: 'gl-dependency-scanning-report.json' },
  container_scanning: { format: 'raw', fileName: 'gl-container-scanning-report.json' },
  dast: { format: 'raw', fileName: 'gl-dast-report.json' },
  license_management: { format: 'raw', fileName: 'gl-license-management-report.json' },
  performance: { format: 'raw', fileName: 'performance.json' },
  metrics: { format: 'gzip', fileName: 'metrics.txt' },
} as const satisfies Record<string, { readonly format: 'zip' | 'gzip' | 'raw'; readonly fileName: string }>;
export type ArtifactType = keyof typeof ARTIFACT_TYPES;

const isArtifactType = (name: string): name is ArtifactType => Object.hasOwn(ARTIFACT_TYPES, name);

/** Null for a kind that there is none of. */
export const artifactTypeOf = (name: string): ArtifactType | null => (isArtifactType(name) ? name : null);
