import { describe, expect, test } from 'vitest';
import { facilityImagePaths } from '../../../../src/engine/api/versions/v2.js';
import { facilityImage, facilityLogo } from '../../../../src/engine/api/routes/images.js';
import { createWorld } from '../../../../src/engine/store/world.js';

const facility = createWorld().facility(1005)!;
const hostile = { ...facility, name: `<script>alert("&'")</script> Ørne` };

describe.each([
  { what: 'image', draw: (of: typeof facility) => facilityImage(of, 1) },
  { what: 'logo', draw: (of: typeof facility) => facilityLogo(of) },
])('the $what', ({ draw }) => {
  test('is one SVG element with a title, the same each time', () => {
    expect(draw(facility)).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^<]*><title>[^<]+<\/title>.*<\/svg>\n$/,
    );
    expect(draw(facility)).toBe(draw({ ...facility }));
  });

  test('names no address but the one of SVG itself', () => {
    expect(draw(facility).match(/https?:/g)).toEqual(['http:']);
  });

  test('escapes the name', () => {
    expect(draw(hostile)).not.toContain('<script>');
    expect(draw(hostile)).toContain('&lt;script&gt;alert(&quot;&amp;&#39;&quot;)&lt;/script&gt; Ørne');
  });
});

test('views of one facility differ, and so do facilities', () => {
  expect(facilityImage(facility, 1)).not.toBe(facilityImage(facility, 2));
  expect(facilityImage(facility, 1)).not.toBe(facilityImage({ ...facility, id: 1006 }, 1));
});

test('each image has a path under the base URL', () => {
  expect(facilityImagePaths({ ...facility, images: 2 }, 'http://localhost:4653/w/a')).toEqual({
    logo: 'http://localhost:4653/w/a/images/1005/logo.svg',
    images: ['http://localhost:4653/w/a/images/1005/1.svg', 'http://localhost:4653/w/a/images/1005/2.svg'],
  });
});
