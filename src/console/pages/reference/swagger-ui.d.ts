declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  /** A part of its configuration: see "Configuration" in the documentation of Swagger UI. */
  interface SwaggerOptions {
    readonly domNode: HTMLElement;
    readonly spec: object;
    readonly docExpansion: 'list';
    readonly defaultModelsExpandDepth: number;
    readonly tryItOutEnabled: boolean;
    readonly filter: boolean;
    readonly validatorUrl: null;
    readonly plugins: readonly ((system: SwaggerSystem) => object)[];
    readonly layout: string;
    readonly syntaxHighlight: { readonly theme: string };
    readonly onComplete: () => void;
  }
  /** What a plugin gets, as far as ours needs it. */
  export interface SwaggerSystem {
    readonly React: { createElement(type: unknown, props?: object, ...children: unknown[]): unknown };
  }
  /** What a layout gets. */
  export interface SwaggerParts {
    getComponent(name: string, connected?: boolean): unknown;
  }
  interface SwaggerViewer {
    preauthorizeBasic(scheme: string, username: string, password: string): void;
    preauthorizeApiKey(scheme: string, key: string): void;
  }
  export default function SwaggerUI(options: SwaggerOptions): SwaggerViewer;
}
