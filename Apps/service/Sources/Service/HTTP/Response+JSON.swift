import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Returns a response with a JSON value.
    static func json(_ value: JSON, status: HTTPResponse.Status = .ok) throws -> Response {
        json(text: try value.text, status: status)
    }

    /// Returns a response with the text of a JSON value.
    static func json(text: String, status: HTTPResponse.Status = .ok) -> Response {
        let body = ByteBuffer(string: text)
        return Response(
            status: status,
            headers: [.contentType: "application/json", .contentLength: String(body.readableBytes)],
            body: ResponseBody(byteBuffer: body))
    }
}
