import { pageBlock } from './page-block.js';

export type CiName = 'github' | 'gitlab';

/** The files of a job that checks a deployment, by their path. */
export async function ciJob(name: CiName, url: string): Promise<Readonly<Record<string, string>>> {
  const job = await pageBlock('conformance.md', name === 'github' ? '## In CI' : 'On GitLab', 'yaml');
  const own = job.replace(' --known known.json', '').replace('https://staging.example.com', () => url);
  if (name === 'github') return { '.github/workflows/teebox.yml': own };
  return { '.gitlab/teebox.yml': own, '.gitlab-ci.yml': 'include: .gitlab/teebox.yml\n' };
}
