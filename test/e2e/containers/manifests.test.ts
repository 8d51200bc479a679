import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { read } from './podman.js';

const dockerfile = read('Dockerfile');
const port = Number(/^EXPOSE (\d+)$/m.exec(dockerfile)![1]);
const user = /^USER (\d+):(\d+)$/m.exec(dockerfile)!.slice(1).map(Number);
const objects = parseAllDocuments(read('deploy/kubernetes/teebox.yaml')).map((one) => one.toJS());
const [service, claim, deployment] = objects;
const pod = deployment.spec.template;
const [container] = pod.spec.containers;

test('labels say what package.json says', () => {
  const { license, homepage, repository } = JSON.parse(read('package.json'));
  expect(dockerfile).toContain(`licenses="${license}"`);
  expect(dockerfile).toContain(`documentation="${homepage}"`);
  expect(`git+${/source="([^"]+)"/.exec(dockerfile)![1]}.git`).toBe(repository.url);
});

test('compose runs the image closed, on loopback, with its state in a volume', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  expect(services.teebox).toMatchObject({ read_only: true, cap_drop: ['ALL'], ports: [`127.0.0.1:${port}:${port}`] });
  const [name, folder] = services.teebox.volumes[0].split(':');
  expect(Object.keys(volumes)).toEqual([name]);
  expect(services.teebox.extra_hosts).toEqual(['host.docker.internal:host-gateway']);
  expect(services.teebox.environment.TEEBOX_ALLOW_CALLBACK).toContain('host.docker.internal');
  expect(services.teebox.environment.TEEBOX_STATE).toBe(`${folder}/world.json`);
  expect(dockerfile).toContain(`mkdir ${folder} && chown ${user.join(':')} ${folder}`);
});

test('the objects for Kubernetes fit together, and fit the image', () => {
  expect(objects.map(({ kind }) => kind)).toEqual(['Service', 'PersistentVolumeClaim', 'Deployment']);
  expect(service.spec.selector).toEqual(pod.metadata.labels);
  expect(deployment.spec.selector.matchLabels).toEqual(pod.metadata.labels);
  expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
  expect(container.ports[0].containerPort).toBe(port);
  expect(pod.spec.volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name);
  expect(container.volumeMounts[0].name).toBe(pod.spec.volumes[0].name);
  const { runAsUser, runAsGroup, fsGroup, runAsNonRoot } = pod.spec.securityContext;
  expect([runAsUser, runAsGroup, fsGroup, runAsNonRoot]).toEqual([user[0], user[1], user[1], true]);
  const { name } = container.ports[0];
  for (const probe of ['startupProbe', 'readinessProbe']) {
    expect(container[probe].httpGet).toEqual({ path: '/__admin/health', port: name });
  }
  expect(container.livenessProbe.tcpSocket).toEqual({ port: name });
});
