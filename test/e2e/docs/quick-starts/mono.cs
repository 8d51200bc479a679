// What Mono lacks for partner.cs: an entry point that is asynchronous, and System.Text.Json, here made from System.Json.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Values = System.Json;

static class EntryPoint
{
    static void Main() => Partner.Main().GetAwaiter().GetResult();
}

namespace System.Text.Json
{
    public class JsonException : Exception
    {
        public JsonException(string message) : base(message) { }
    }
}

namespace System.Text.Json.Nodes
{
    public class JsonNode
    {
        internal readonly Values.JsonValue Value;

        internal JsonNode(Values.JsonValue value) => Value = value;

        internal static JsonNode Of(Values.JsonValue value) => value == null ? null : new JsonNode(value);

        public static JsonNode Parse(string text)
        {
            try
            {
                return Of(Values.JsonValue.Parse(text));
            }
            catch (Exception error)
            {
                throw new JsonException(error.Message);
            }
        }

        public JsonNode this[string name]
        {
            get => Value.ContainsKey(name) ? Of(Value[name]) : null;
            set => Value[name] = value.Value;
        }

        public JsonArray AsArray() => new JsonArray(Value);

        public string ToJsonString() => Value.ToString();

        public override string ToString() =>
            Value.JsonType == Values.JsonType.String ? (string)Value : Value.ToString();

        public static implicit operator JsonNode(string value) => new JsonNode(value);
        public static implicit operator JsonNode(int value) => new JsonNode(value);
        public static implicit operator JsonNode(decimal value) => new JsonNode(value);
        public static explicit operator string(JsonNode node) => node == null ? null : (string)node.Value;
        public static explicit operator int(JsonNode node) => (int)node.Value;
        public static explicit operator bool?(JsonNode node) => node == null ? (bool?)null : (bool)node.Value;
        public static explicit operator decimal(JsonNode node) =>
            decimal.Parse(node.Value.ToString(), CultureInfo.InvariantCulture);
    }

    public class JsonObject : JsonNode
    {
        public JsonObject() : base(new Values.JsonObject()) { }
    }

    public class JsonArray : JsonNode, IEnumerable<JsonNode>
    {
        internal JsonArray(Values.JsonValue value) : base(value) { }

        public int Count => Value.Count;

        public JsonNode this[int index] => Of(Value[index]);

        public IEnumerator<JsonNode> GetEnumerator() => ((Values.JsonArray)Value).Select(Of).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
